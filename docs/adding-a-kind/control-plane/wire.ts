import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireWidget = (row: Row<'widget'>): Wire.Widget => ({
  id: row.id,
  name: row.name,
  description: row.description,
  project_id: row.project_id,
  color: row.color,
  time_created: row.time_created,
  time_modified: row.time_modified,
})
