import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireSnapshot = (row: Row<'snapshot'>): Wire.Snapshot => ({
  ...identityOf(row),
  project_id: row.project_id,
  disk_id: row.disk_id,
  size: row.size,
  state: row.state,
})

export const toWireSnapshotDetails = (row: Row<'snapshot'>): Wire.SnapshotDetails => ({
  ...toWireSnapshot(row),
  consistency: row.consistency,
})
