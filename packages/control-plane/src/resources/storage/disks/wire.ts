import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export type DiskRow = Row<'disk'>

function toWireState({ state, instance_id }: DiskRow): Wire.DiskState {
  return state === 'attaching' || state === 'attached' || state === 'detaching'
    ? { state, instance: instance_id! }
    : { state }
}

export const toWireDisk = (row: DiskRow): Wire.Disk => ({
  ...identityOf(row),
  project_id: row.project_id,
  snapshot_id: row.snapshot_id,
  image_id: row.image_id,
  size: row.size,
  block_size: row.block_size,
  state: toWireState(row),
  device_path: `/mnt/${row.name}`,
  disk_type: row.disk_type,
  read_only: row.read_only === 1,
})
