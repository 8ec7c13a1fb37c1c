import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { Flag } from '../../../kernel/db/schema.ts'

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

export const updateArtifactTables: StoredTables = {
  update_artifact: { within: { repository_id: 'update_repository' } },
  update_upload: { origins: { user_id: 'silo_user' } },
}
