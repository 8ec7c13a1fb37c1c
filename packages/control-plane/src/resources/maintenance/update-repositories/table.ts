import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { Flag } from '../../../kernel/db/schema.ts'

/** The repository of a release; its archive is a volume with the same id. */
export interface UpdateRepositoryTable {
  id: string
  fleet_id: string
  /** The version of the system that it brings. */
  name: string
  /** SHA-256 of the archive. */
  hash: string
  file_name: string
  /** Bytes. */
  size: number
  time_created: string
  /** When its archive was removed, to make room; it is in no list then. */
  time_pruned: string | null
}

/** What a release consists of. The rows stay when its archive is gone, to tell what is installed. */
export interface UpdateArtifactTable {
  repository_id: string
  name: string
  kind: string
  version: string
  /** SHA-256 of its contents. */
  hash: string
  /** Bytes. */
  size: number
}

/** A repository that is being uploaded; its bytes are a volume with the same id. */
export interface UpdateUploadTable {
  id: string
  fleet_id: string
  /** Who has begun it; null if an earlier version did not note it. */
  user_id: string | null
  file_name: string
  /** Bytes; those that have not arrived are reserved. */
  size: number
  /** 1 if its pieces come one by one; an upload that is a single call is in no list. */
  resumable: Flag
  /** 1 while it is verified, so that no piece is written any more. */
  sealed: Flag
  time_created: string
  /** When a piece has come the last time. */
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
