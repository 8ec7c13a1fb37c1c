import { PoolSelector } from '../ip-pools/schemas.ts'
import { ip } from '../../network.ts'
import {
  identity,
  identityCreate,
  identityUpdate,
  named,
  NameOrId,
  oneOf,
  record,
  tagged,
  uuid,
} from '../../schema.ts'
import { changed } from '../../versions.ts'
import { addressAllocatorChange } from './upgrade.ts'

export const FloatingIp = record('FloatingIp', {
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

export const FloatingIpCreate = changed(
  record('FloatingIpCreate', {
    ...identityCreate,
    address_allocator: AddressAllocator.default({
      type: 'auto',
      pool_selector: { type: 'auto', ip_version: null },
    }),
  }),
  addressAllocatorChange,
)
export const FloatingIpUpdate = record('FloatingIpUpdate', identityUpdate)

const FloatingIpParentKind = named('FloatingIpParentKind', oneOf('instance'))
export const FloatingIpAttach = record('FloatingIpAttach', {
  kind: FloatingIpParentKind,
  parent: NameOrId,
})
