import { PoolSelector } from '../ip-pools/schemas.ts'
import { ip } from '../../network.ts'
import {
  identity,
  identityCreate,
  identityUpdate,
  named,
  NameOrId,
  NamesOrIds,
  oneOf,
  record,
  tagged,
  uuid,
} from '../../schema.ts'
import { changed } from '../../versions.ts'
import { addressAllocatorChange } from './upgrade.ts'
import { usual } from '../../kinds/usual.ts'

const FloatingIp = record('FloatingIp', {
  ...identity,
  ip,
  ip_pool_id: uuid,
  project_id: uuid,
  instance_id: uuid.nullable().optional(),
})

/** An explicit address, or the next free address of a pool. */
const AddressAllocator = named(
  'AddressAllocator',
  tagged('type', {
    explicit: { ip },
    auto: { pool_selector: PoolSelector.default({ type: 'auto', ip_version: null }) },
  }),
)

const FloatingIpCreate = changed(
  record('FloatingIpCreate', {
    ...identityCreate,
    address_allocator: AddressAllocator.default({
      type: 'auto',
      pool_selector: { type: 'auto', ip_version: null },
    }),
  }),
  addressAllocatorChange,
)
const FloatingIpUpdate = record('FloatingIpUpdate', identityUpdate)

const FloatingIpParentKind = named('FloatingIpParentKind', oneOf('instance'))
const FloatingIpAttach = record('FloatingIpAttach', {
  kind: FloatingIpParentKind,
  parent: NameOrId,
})

export const floatingIpOperations = usual('floating_ip', { item: FloatingIp })({
  floating_ip_list: {},
  floating_ip_search: { columns: ['ip'], filters: { attached: ['yes', 'no'], pool: NamesOrIds } },
  floating_ip_create: { summary: 'Reserve an address for a project', body: FloatingIpCreate },
  floating_ip_view: {},
  floating_ip_update: { body: FloatingIpUpdate },
  floating_ip_delete: { summary: 'Release the address of a detached floating IP' },
  floating_ip_attach: {
    summary: 'Attach a floating IP to an instance',
    permission: { floating_ip: 'modify', instance: 'modify' },
    body: FloatingIpAttach,
  },
  floating_ip_detach: {
    summary: 'Detach a floating IP from its instance',
    evenIfFull: true,
    changes: ['instance'],
  },
})
