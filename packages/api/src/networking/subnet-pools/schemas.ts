import { IpVersion } from '../ip-pools/schemas.ts'
import { IpNet } from '../../network.ts'
import { poolLinkSchemas } from '../pools/schemas.ts'
import {
  boolean,
  dateTime,
  double,
  identity,
  identityCreate,
  identityUpdate,
  record,
  uint8,
  uuid,
} from '../../schema.ts'
import { changed } from '../../versions.ts'
import { utilizationChange } from './upgrade.ts'

const subnetPoolFields = { ...identity, ip_version: IpVersion }

export const SubnetPool = record('SubnetPool', subnetPoolFields)
export const SubnetPoolCreate = record('SubnetPoolCreate', {
  ...identityCreate,
  ip_version: IpVersion,
})
export const SubnetPoolUpdate = record('SubnetPoolUpdate', identityUpdate)

export const SubnetPoolMember = record('SubnetPoolMember', {
  id: uuid,
  subnet_pool_id: uuid,
  subnet: IpNet,
  min_prefix_length: uint8,
  max_prefix_length: uint8,
  time_created: dateTime,
})
export const SubnetPoolMemberAdd = record('SubnetPoolMemberAdd', {
  subnet: IpNet,
  min_prefix_length: uint8.nullable().optional(),
  max_prefix_length: uint8.nullable().optional(),
})
export const SubnetPoolMemberRemove = record('SubnetPoolMemberRemove', { subnet: IpNet })

export const subnetPoolLinks = poolLinkSchemas('SubnetPool', 'subnet_pool_id')

export const SubnetPoolUtilization = changed(
  record('SubnetPoolUtilization', { capacity: double, remaining: double }),
  utilizationChange,
)

/** A pool with its utilization, as in the operators' list. */
export const SubnetPoolWithUtilization = record('SubnetPoolWithUtilization', {
  ...subnetPoolFields,
  utilization: SubnetPoolUtilization,
})

/** A pool as shown to users of the silos linked to it. */
export const SiloSubnetPool = record('SiloSubnetPool', {
  ...subnetPoolFields,
  is_default: boolean,
})
