import { kinds, type ListedKind } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'

export interface SavedViewTable {
  id: string
  name: string
  /** The kind of the listed resources. */
  list: ListedKind
  /** The user who owns it; null for a shared view, which belongs to a project. */
  user_id: string | null
  project_id: string | null
  /** JSON: query parameters of the list. */
  query: string
  /** JSON: names of columns, or null. */
  columns: string
  position: number
  time_created: string
  time_modified: string
}

export const savedViewQuery = jsonColumn<Record<string, string>>()
export const savedViewColumns = jsonColumn<string[] | null>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    saved_view: SavedViewTable
  }
}

export type SavedViewRow = Row<'saved_view'>

export const toWireSavedView = (row: SavedViewRow): Wire.SavedView => ({
  ...pick(row, 'id', 'name', 'list', 'project_id'),
  query: savedViewQuery.read(row.query),
  columns: savedViewColumns.read(row.columns),
  position: row.position,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    project_view: 'saved_view'
  }
}

export const saved_view: StoredKind<'saved_view'> = {
  tables: {
    saved_view: {
      partOf: { user_id: 'silo_user', project_id: 'project' },
      names: {
        saved_view_user_name: kinds.saved_view.type,
        saved_view_project_name: kinds.project_view.type,
      },
    },
  },
  live: 'user_id is not null',
  parentColumn: 'user_id',
}

export const project_view: StoredKind<'project_view'> = {
  table: 'saved_view',
  live: 'project_id is not null',
}
