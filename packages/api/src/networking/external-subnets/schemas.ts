import { PoolSelector } from '../ip-pools/schemas.ts'
import { IpNet } from '../../network.ts'
import {
  identity,
  identityCreate,
  identityUpdate,
  named,
  NameOrId,
  record,
  tagged,
  uint8,
  uuid,
} from '../../schema.ts'
import { changed } from '../../versions.ts'
import { prefixLengthChange } from './upgrade.ts'

export const ExternalSubnet = record('ExternalSubnet', {
  ...identity,
  subnet: IpNet,
  subnet_pool_id: uuid,
  subnet_pool_member_id: uuid,
  project_id: uuid,
  instance_id: uuid.nullable().optional(),
})

/** An explicit subnet, or the next free one of a given length from a pool. */
const ExternalSubnetAllocator = changed(
  named(
    'ExternalSubnetAllocator',
    tagged('type', {
      explicit: { subnet: IpNet },
      auto: {
        prefix_length: uint8,
        pool_selector: PoolSelector.default({ type: 'auto', ip_version: null }),
      },
    }),
  ),
  prefixLengthChange,
)

export const ExternalSubnetCreate = record('ExternalSubnetCreate', {
  ...identityCreate,
  allocator: ExternalSubnetAllocator,
})
export const ExternalSubnetUpdate = record('ExternalSubnetUpdate', identityUpdate)
export const ExternalSubnetAttach = record('ExternalSubnetAttach', { instance: NameOrId })
