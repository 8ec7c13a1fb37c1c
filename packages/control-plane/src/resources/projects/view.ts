import type { Wire } from '@steading/api'
import type { ProjectRow } from './lookup.ts'

export const viewProject = (row: ProjectRow): Wire.Project => ({
  id: row.id,
  name: row.name,
  description: row.description,
  time_created: row.time_created,
  time_modified: row.time_modified,
})
