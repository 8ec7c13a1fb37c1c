import { provisionPolicies, sledPolicyKinds, sledStates } from './hardware.ts'
import {
  Sled,
  SledDetails,
  SledExpungePreview,
  SledHostView,
  SledId,
  SledInstance,
  SledProvisionPolicyParams,
  SledProvisionPolicyResponse,
  UninitializedSledId,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const sledOperations = usual('sled', {
  item: Sled,
  path: '/v1/system/hardware/sleds/{sled_id}',
  tag: 'system/hardware',
})({
  sled_list: { sort: 'id' },
  sled_search: {
    pages: SledDetails,
    allColumns: [
      'name',
      'natural_name',
      'slot',
      'part',
      'state',
      'usable_hardware_threads',
      'used_hardware_threads',
      'usable_physical_ram',
      'used_physical_ram',
      'time_created',
    ],
    filters: { policy: sledPolicyKinds, provision_policy: provisionPolicies, state: sledStates },
  },
  sled_view: {},
  sled_details_view: {
    route: 'GET',
    extension: true,
    summary: 'Show a sled with its usage',
    answer: SledDetails,
  },
  sled_host_view: {
    route: 'GET host',
    extension: true,
    summary: 'Show the software and the storage of a sled that is a host of libvirt',
    live: true,
    answer: SledHostView,
  },
  sled_add: {
    route: 'POST /v1/system/hardware/sleds',
    summary: 'Begin to add a sled to its rack',
    permission: { sled: 'create' },
    body: UninitializedSledId,
    audited: { kind: 'sled', name: 'serial' },
    success: { status: 201, schema: SledId },
  },
  sled_set_provision_policy: {
    route: 'PUT provision-policy',
    summary: 'Set whether new instances are placed on a sled',
    body: SledProvisionPolicyParams,
    answer: SledProvisionPolicyResponse,
  },
  sled_expunge_preview: {
    route: 'GET expunge',
    extension: true,
    summary: 'Preview the expungement of a sled',
    transaction: 'snapshot',
    answer: SledExpungePreview,
  },
  sled_expunge: {
    extension: true,
    summary: 'Expunge a sled; its instances fail, and its replicas are rebuilt elsewhere',
    success: { status: 200, schema: SledDetails },
    changes: ['physical_disk'],
  },
  sled_instance_list: {
    route: 'GET instances',
    summary: 'List the instances that run on a sled',
    pages: SledInstance,
    sort: 'id',
  },
})
