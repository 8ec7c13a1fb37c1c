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

const physicalDisks = usual('physical_disk', {
  item: PhysicalDisk,
  path: '/v1/system/hardware/disks/{disk_id}',
  tag: 'system/hardware',
})

export const physicalDiskOperations = {
  ...physicalDisks({
    list: { sort: 'id' },
    search: {
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
    view: {},
  }),
  ...usual('sled', { path: '/v1/system/hardware/sleds/{sled_id}', tag: 'system/hardware' })({
    physical_disk_list: {
      route: 'GET disks',
      summary: 'List the physical disks of a sled',
      permission: { sled: 'read', physical_disk: 'list' },
      pages: PhysicalDisk,
      sort: 'id',
    },
  }),
  ...physicalDisks({
    expunge: {
      extension: true,
      summary: 'Expunge a physical disk; its replicas are rebuilt elsewhere',
      success: { status: 200, schema: PhysicalDisk },
    },
  }),
  ...usual('physical_disk', { id: 'disk_replica' })({
    summary: {
      route: 'GET /x/v1/system/hardware/replicas',
      summary: 'Show the replicas of disks being rebuilt, or waiting for space',
      permission: { physical_disk: 'list' },
      transaction: 'snapshot',
      answer: DiskReplicaSummary,
    },
  }),
  ...physicalDisks({
    list_unadopted: {
      route: 'GET /v1/system/hardware/disks-unadopted',
      summary: 'List uninitialized disks',
      permission: { physical_disk: 'list' },
      pages: UnadoptedPhysicalDisk,
      sort: 'none',
    },
    list_adoption_requests: {
      route: 'GET /v1/system/hardware/disk-adoption-requests',
      summary: 'List the pending requests to adopt disks',
      permission: { disk_adoption_request: 'list' },
      pages: PhysicalDiskAdoptionRequest,
      sort: 'id',
    },
    enable_adoption: {
      route: 'PUT /v1/system/hardware/disk-adoption-request',
      summary: 'Request the adoption of a disk, once it is detected in a sled in service',
      permission: { disk_adoption_request: 'create' },
      body: PhysicalDiskManufacturerIdentity,
      audited: { kind: 'disk_adoption_request', name: 'serial' },
      success: { status: 201, schema: PhysicalDiskAdoptionRequest },
    },
    disable_adoption: {
      route: 'DELETE /v1/system/hardware/disk-adoption-request/{physical_disk_adoption_req_id}',
      summary: 'Withdraw the request to adopt a disk',
      permission: { disk_adoption_request: 'modify' },
    },
  }),
}
