import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { provisionPolicies, sledPolicyKinds, sledStates } from './hardware.ts'
import { uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  Sled,
  SledDetails,
  SledExpungePreview,
  SledHostView,
  SledId,
  SledInstanceResultsPage,
  SledProvisionPolicyParams,
  SledProvisionPolicyResponse,
  SledResultsPage,
  UninitializedSledId,
} from './schemas.ts'

const tags = ['system/hardware']
const path = '/v1/system/hardware/sleds'
const params = { sled_id: uuid }

const sled_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List sleds',
  permission: { sled: 'list' },
  ...paged('id'),
  success: { status: 200, schema: SledResultsPage },
} as const satisfies Operation

export const sledOperations = {
  sled_list,
  sled_search: searched({
    kind: 'Sled',
    item: SledDetails,
    plain: sled_list,
    columns: [
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
  }),
  sled_view: {
    method: 'GET',
    path: `${path}/{sled_id}`,
    tags,
    summary: 'Show a sled',
    permission: { sled: 'read' },
    params,
    success: { status: 200, schema: Sled },
  },
  sled_details_view: {
    method: 'GET',
    path: `/x${path}/{sled_id}`,
    tags: ['extensions'],
    summary: 'Show a sled with its usage',
    permission: { sled: 'read' },
    params,
    success: { status: 200, schema: SledDetails },
  },
  sled_host_view: {
    method: 'GET',
    path: `/x${path}/{sled_id}/host`,
    tags: ['extensions'],
    summary: 'Show the software and the storage of a sled that is a host of libvirt',
    permission: { sled: 'read' },
    params,
    live: true,
    success: { status: 200, schema: SledHostView },
  },
  sled_add: {
    method: 'POST',
    path,
    tags,
    summary: 'Begin to add a sled to its rack',
    permission: { sled: 'create' },
    body: UninitializedSledId,
    audited: { kind: 'sled', name: 'serial' },
    success: { status: 201, schema: SledId },
  },
  sled_set_provision_policy: {
    method: 'PUT',
    path: `${path}/{sled_id}/provision-policy`,
    tags,
    summary: 'Set whether new instances are placed on a sled',
    permission: { sled: 'modify' },
    params,
    body: SledProvisionPolicyParams,
    success: { status: 200, schema: SledProvisionPolicyResponse },
  },
  sled_expunge_preview: {
    method: 'GET',
    path: `/x${path}/{sled_id}/expunge`,
    tags: ['extensions'],
    summary: 'Preview the expungement of a sled',
    permission: { sled: 'read' },
    params,
    transaction: 'snapshot',
    success: { status: 200, schema: SledExpungePreview },
  },
  sled_expunge: {
    method: 'POST',
    path: `/x${path}/{sled_id}/expunge`,
    tags: ['extensions'],
    summary: 'Expunge a sled; its instances fail, and its replicas are rebuilt elsewhere',
    permission: { sled: 'modify' },
    params,
    success: { status: 200, schema: SledDetails },
  },
  sled_instance_list: {
    method: 'GET',
    path: `${path}/{sled_id}/instances`,
    tags,
    summary: 'List the instances that run on a sled',
    permission: { sled: 'read' },
    params,
    ...paged('id'),
    success: { status: 200, schema: SledInstanceResultsPage },
  },
} as const satisfies Record<string, Operation>
