import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireProject = (row: Row<'project'>): Wire.Project => ({
  id: row.id,
  name: row.name,
  description: row.description,
  time_created: row.time_created,
  time_modified: row.time_modified,
})
