import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { physicalDiskKinds, sledPolicyKinds, sledStates } from '../sleds/hardware.ts'
import { uuid, Uuids } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  DiskReplicaSummary,
  PhysicalDisk,
  PhysicalDiskAdoptionRequest,
  PhysicalDiskAdoptionRequestResultsPage,
  PhysicalDiskDetails,
  PhysicalDiskManufacturerIdentity,
  PhysicalDiskResultsPage,
  UnadoptedPhysicalDiskResultsPage,
} from './schemas.ts'

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
      'name',
      'natural_name',
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
  physical_disk_expunge: {
    method: 'POST',
    path: `/x${path}/{disk_id}/expunge`,
    tags: ['extensions'],
    summary: 'Expunge a physical disk; its replicas are rebuilt elsewhere',
    permission: { physical_disk: 'modify' },
    params: { disk_id: uuid },
    success: { status: 200, schema: PhysicalDisk },
  },
  disk_replica_summary: {
    method: 'GET',
    path: '/x/v1/system/hardware/replicas',
    tags: ['extensions'],
    summary: 'Show the replicas of disks being rebuilt, or waiting for space',
    permission: { physical_disk: 'list' },
    transaction: 'snapshot',
    success: { status: 200, schema: DiskReplicaSummary },
  },
  physical_disk_list_unadopted: {
    method: 'GET',
    path: '/v1/system/hardware/disks-unadopted',
    tags,
    summary: 'List uninitialized disks',
    permission: { physical_disk: 'list' },
    ...paged('none'),
    success: { status: 200, schema: UnadoptedPhysicalDiskResultsPage },
  },
  physical_disk_list_adoption_requests: {
    method: 'GET',
    path: '/v1/system/hardware/disk-adoption-requests',
    tags,
    summary: 'List the pending requests to adopt disks',
    permission: { disk_adoption_request: 'list' },
    ...paged('id'),
    success: { status: 200, schema: PhysicalDiskAdoptionRequestResultsPage },
  },
  physical_disk_enable_adoption: {
    method: 'PUT',
    path: '/v1/system/hardware/disk-adoption-request',
    tags,
    summary: 'Request the adoption of a disk, once it is detected in a sled in service',
    permission: { disk_adoption_request: 'create' },
    body: PhysicalDiskManufacturerIdentity,
    audited: { kind: 'disk_adoption_request', name: 'serial' },
    success: { status: 201, schema: PhysicalDiskAdoptionRequest },
  },
  physical_disk_disable_adoption: {
    method: 'DELETE',
    path: '/v1/system/hardware/disk-adoption-request/{physical_disk_adoption_req_id}',
    tags,
    summary: 'Withdraw the request to adopt a disk',
    permission: { disk_adoption_request: 'modify' },
    params: { physical_disk_adoption_req_id: uuid },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
