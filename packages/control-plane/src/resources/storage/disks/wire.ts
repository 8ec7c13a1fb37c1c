import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { pick } from '../../../kernel/pick.ts'

export type DiskRow = Row<'disk'>

function toWireState({ state, instance_id }: DiskRow): Wire.DiskState {
  return state === 'attaching' || state === 'attached' || state === 'detaching'
    ? { state, instance: instance_id! }
    : { state }
}

export const toWireDisk = (row: DiskRow): Wire.Disk => ({
  ...identityOf(row),
  ...pick(row, 'project_id', 'snapshot_id', 'image_id', 'size', 'block_size'),
  state: toWireState(row),
  device_path: `/mnt/${row.name}`,
  disk_type: row.disk_type,
  read_only: row.read_only === 1,
})
