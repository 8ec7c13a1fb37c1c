import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { viewColumns, viewQuery } from './table.ts'

export type ViewRow = Row<'saved_view'>

export const viewView = (row: ViewRow): Wire.SavedView => ({
  id: row.id,
  name: row.name,
  list: row.list,
  project_id: row.project_id,
  query: viewQuery.read(row.query),
  columns: viewColumns.read(row.columns),
  position: row.position,
  time_created: row.time_created,
  time_modified: row.time_modified,
})
