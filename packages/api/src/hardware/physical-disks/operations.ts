import { physicalDiskKinds, sledPolicyKinds, sledStates } from '../sleds/hardware.ts'
import { Uuids } from '../../schema.ts'
import {
  DiskReplicaSummary,
  PhysicalDisk,
  PhysicalDiskAdoptionRequest,
  PhysicalDiskDetails,
  PhysicalDiskManufacturerIdentity,
  UnadoptedPhysicalDisk,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const physicalDiskOperations = usual('physical_disk', {
  item: PhysicalDisk,
  path: '/v1/system/hardware/disks/{disk_id}',
  tag: 'system/hardware',
})({
  physical_disk_list: { sort: 'id' },
  physical_disk_search: {
    pages: PhysicalDiskDetails,
    allColumns: [
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
  },
  physical_disk_view: {},
  sled_physical_disk_list: {
    route: 'GET /v1/system/hardware/sleds/{sled_id}/disks',
    summary: 'List the physical disks of a sled',
    permission: { sled: 'read', physical_disk: 'list' },
    pages: PhysicalDisk,
    sort: 'id',
  },
  physical_disk_expunge: {
    extension: true,
    summary: 'Expunge a physical disk; its replicas are rebuilt elsewhere',
    success: { status: 200, schema: PhysicalDisk },
  },
  disk_replica_summary: {
    route: 'GET /x/v1/system/hardware/replicas',
    summary: 'Show the replicas of disks being rebuilt, or waiting for space',
    permission: { physical_disk: 'list' },
    transaction: 'snapshot',
    answer: DiskReplicaSummary,
  },
  physical_disk_list_unadopted: {
    route: 'GET /v1/system/hardware/disks-unadopted',
    summary: 'List uninitialized disks',
    permission: { physical_disk: 'list' },
    pages: UnadoptedPhysicalDisk,
    sort: 'none',
  },
  physical_disk_list_adoption_requests: {
    route: 'GET /v1/system/hardware/disk-adoption-requests',
    summary: 'List the pending requests to adopt disks',
    permission: { disk_adoption_request: 'list' },
    pages: PhysicalDiskAdoptionRequest,
    sort: 'id',
  },
  physical_disk_enable_adoption: {
    route: 'PUT /v1/system/hardware/disk-adoption-request',
    summary: 'Request the adoption of a disk, once it is detected in a sled in service',
    permission: { disk_adoption_request: 'create' },
    body: PhysicalDiskManufacturerIdentity,
    audited: { kind: 'disk_adoption_request', name: 'serial' },
    success: { status: 201, schema: PhysicalDiskAdoptionRequest },
  },
  physical_disk_disable_adoption: {
    route: 'DELETE /v1/system/hardware/disk-adoption-request/{physical_disk_adoption_req_id}',
    summary: 'Withdraw the request to adopt a disk',
    permission: { disk_adoption_request: 'modify' },
  },
})
