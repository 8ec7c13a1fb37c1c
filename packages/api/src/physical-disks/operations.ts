import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { physicalDiskKinds, sledPolicyKinds, sledStates } from '../rules/hardware.ts'
import { uuid, Uuids } from '../schema.ts'
import { searched } from '../searched.ts'
import { PhysicalDisk, PhysicalDiskDetails, PhysicalDiskResultsPage } from './schemas.ts'

const tags = ['system/hardware']
const path = '/v1/system/hardware/disks'

const physical_disk_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List physical disks',
  permission: { physical_disk: 'list' },
  ...paged('id'),
  success: { status: 200, schema: PhysicalDiskResultsPage },
} as const satisfies Operation

export const physicalDiskOperations = {
  physical_disk_list,
  physical_disk_search: searched({
    kind: 'PhysicalDisk',
    item: PhysicalDiskDetails,
    plain: physical_disk_list,
    columns: [
      'serial',
      'model',
      'vendor',
      'form_factor',
      'slot',
      'state',
      'size',
      'used',
      'time_created',
    ],
    filters: {
      form_factor: physicalDiskKinds,
      policy: sledPolicyKinds,
      state: sledStates,
      sled: Uuids,
    },
  }),
  physical_disk_view: {
    method: 'GET',
    path: `${path}/{disk_id}`,
    tags,
    summary: 'Show a physical disk',
    permission: { physical_disk: 'read' },
    params: { disk_id: uuid },
    success: { status: 200, schema: PhysicalDisk },
  },
  sled_physical_disk_list: {
    method: 'GET',
    path: '/v1/system/hardware/sleds/{sled_id}/disks',
    tags,
    summary: 'List the physical disks of a sled',
    permission: { sled: 'read', physical_disk: 'list' },
    params: { sled_id: uuid },
    ...paged('id'),
    success: { status: 200, schema: PhysicalDiskResultsPage },
  },
} as const satisfies Record<string, Operation>
