import type { Wire } from '@steading/api'
import type { ServiceAccountRow } from './lookup.ts'

export const toWireServiceAccount = (row: ServiceAccountRow): Wire.ServiceAccount => ({
  id: row.id,
  name: row.name,
  description: row.description,
  time_created: row.time_created,
  time_modified: row.time_modified,
  silo_id: row.silo_id,
  project_id: row.project_id,
})
