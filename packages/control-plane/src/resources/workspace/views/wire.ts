import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { savedViewColumns, savedViewQuery } from './table.ts'

export type SavedViewRow = Row<'saved_view'>

export const toWireSavedView = (row: SavedViewRow): Wire.SavedView => ({
  id: row.id,
  name: row.name,
  list: row.list,
  project_id: row.project_id,
  query: savedViewQuery.read(row.query),
  columns: savedViewColumns.read(row.columns),
  position: row.position,
  time_created: row.time_created,
  time_modified: row.time_modified,
})
