import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { ListedKind } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

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

export const savedViewTables: StoredTables = {
  saved_view: {
    partOf: { user_id: 'silo_user', project_id: 'project' },
    names: {
      saved_view_user_name: kinds.saved_view.type,
      saved_view_project_name: kinds.project_view.type,
    },
  },
}
