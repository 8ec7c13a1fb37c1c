import type { RestorableKind } from '@steading/api/rules'
import type { AnyRow } from '../../../kernel/db/any-table.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Listed, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables, TableName } from '../../../kernel/db/tables.ts'

/**
 * A deleted resource that can be restored, with the id of the resource. Restoring it and deleting
 * it permanently remove the row, so only one of them happens. Its time of creation is the time of
 * the deletion.
 */
export interface DeletedResourceTable extends Listed, Reconciled {
  silo_id: string
  project_id: string
  kind: RestorableKind
  /** The names of its containers below the project, as `insideColumn` gives them. */
  inside: string
  /** Bytes that stay until the row is removed. They count in no quota. */
  size: number
  /** The user who deleted it. Not `user_id`, which would make it private to that user. */
  author_id: string
  author_name: string
  time_expires: string
}

/** A row that the deletion of a resource removed, marked or changed. */
export interface DeletedRowTable {
  resource_id: string
  /** The row of the resource itself is 0; a row comes after the rows that it is inside of. */
  position: number
  table_name: TableName
  /** The row before the deletion. JSON. */
  before_row: string
  /** The columns that the deletion changed, with their new values; null if the row is gone. JSON. */
  changed: string | null
}

/** Rows as they were: their columns depend on the version that stored them. */
export const storedRow = jsonColumn<AnyRow>()
export const changedColumns = jsonColumn<Record<string, unknown>>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    deleted_resource: DeletedResourceTable
    deleted_row: DeletedRowTable
  }
}

export const deletedResourceTables: StoredTables = {
  // The rows of a deleted project end a moment after it.
  deleted_resource: {
    times: { time_expires: { endsAfter: 'time_created' } },
    origins: { project_id: 'project', author_id: 'silo_user' },
  },
  deleted_row: { partOf: { resource_id: 'deleted_resource' } },
}
