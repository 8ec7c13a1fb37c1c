import type { Wire } from '@steading/api'
import type { Flag } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import type { Volumes } from '../../../kernel/ports/volumes.ts'

/** The repository of a release; its archive is a volume with the same id. */
export interface UpdateRepositoryTable {
  id: string
  fleet_id: string
  /** The version of the system it contains. */
  name: string
  /** SHA-256 of the archive. */
  hash: string
  file_name: string
  /** In bytes. */
  size: number
  time_created: string
  /** When its archive was deleted to free space; it is then in no list. */
  time_pruned: string | null
}

/**
 * The contents of a release. The rows stay when its archive is gone, to identify installed
 * software.
 */
export interface UpdateArtifactTable {
  repository_id: string
  name: string
  kind: string
  version: string
  /** SHA-256 of its contents. */
  hash: string
  /** In bytes. */
  size: number
}

/** A repository that is being uploaded; its bytes are a volume with the same id. */
export interface UpdateUploadTable {
  id: string
  fleet_id: string
  /** The user who began it; null if an earlier version did not record it. */
  user_id: string | null
  file_name: string
  /** In bytes; the space for the rest of the upload is reserved. */
  size: number
  /** 1 if its pieces are sent one by one; an upload in a single call is in no list. */
  resumable: Flag
  /** 1 while it is verified, so that no further pieces are written. */
  sealed: Flag
  time_created: string
  /** When the last piece arrived. */
  time_modified: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    update_repository: UpdateRepositoryTable
    update_artifact: UpdateArtifactTable
    update_upload: UpdateUploadTable
  }
}

export const toWireRepository = (row: Row<'update_repository'>): Wire.TufRepo => ({
  file_name: row.file_name,
  hash: row.hash,
  system_version: row.name,
  time_created: row.time_created,
})

export const toWireUpload = async (
  volumes: Volumes,
  row: Row<'update_upload'>,
): Promise<Wire.UpdateUpload> => ({
  id: row.id,
  file_name: row.file_name,
  size: row.size,
  written: await volumes.written(row.id),
  time_created: row.time_created,
  time_modified: row.time_modified,
})

/** Id and name of an upload for events and messages. */
export const namedUpload = ({ id, file_name }: Row<'update_upload'>) => ({ id, name: file_name })

export const update_repository: StoredKind<'update_repository'> = {
  tables: {
    update_artifact: { within: { repository_id: 'update_repository' } },
    update_upload: { origins: { user_id: 'silo_user' } },
  },
  volumes: [
    (db, some) => db.selectFrom('update_upload').select('id').where('id', 'in', some),
    (db, some) =>
      db
        .selectFrom('update_repository')
        .select('id')
        .where('id', 'in', some)
        .where('time_pruned', 'is', null),
  ],
  live: 'time_pruned is null',
}

export const update_upload: StoredKind<'update_upload'> = {
  live: 'resumable = 1',
}
