import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireSnapshot = (row: Row<'snapshot'>): Wire.Snapshot => ({
  id: row.id,
  name: row.name,
  description: row.description,
  project_id: row.project_id,
  disk_id: row.disk_id,
  size: row.size,
  state: row.state,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const toWireSnapshotDetails = (row: Row<'snapshot'>): Wire.SnapshotDetails => ({
  ...toWireSnapshot(row),
  consistency: row.consistency,
})
