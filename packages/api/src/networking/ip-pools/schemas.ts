import { ip, ipv4, ipv6 } from '../../network.ts'
import { poolLinkSchemas } from '../pools/schemas.ts'
import { ipPoolAssignments, ipPoolTypes, ipRangeProblem } from './rules.ts'
import {
  boolean,
  dateTime,
  double,
  identity,
  identityCreate,
  identityUpdate,
  named,
  NameOrId,
  objectShownAs,
  oneOf,
  record,
  string,
  tagged,
  uint16,
  uint64,
  uuid,
} from '../../schema.ts'

export const IpVersion = named('IpVersion', oneOf('v4', 'v6'))
export const IpPoolType = named('IpPoolType', oneOf(...ipPoolTypes))
export const IpPoolAssignment = named('IpPoolAssignment', oneOf(...ipPoolAssignments))

export const IpPool = record('IpPool', {
  ...identity,
  ip_version: IpVersion,
  pool_type: IpPoolType,
  assignment: IpPoolAssignment,
})
export const IpPoolCreate = record('IpPoolCreate', {
  ...identityCreate,
  ip_version: IpVersion.default('v4'),
  pool_type: IpPoolType.default('unicast'),
  assignment: IpPoolAssignment.default('silos'),
})
export const IpPoolUpdate = record('IpPoolUpdate', identityUpdate)
export const IpPoolAssignParam = record('IpPoolAssignParam', { assignment: IpPoolAssignment })

record('Ipv4Range', { first: ipv4, last: ipv4 })
record('Ipv6Range', { first: ipv6, last: ipv6 })

/** Addresses of one version from the first to the last, inclusive. */
export const IpRange = named(
  'IpRange',
  objectShownAs(
    {
      oneOf: [
        { $ref: '#/components/schemas/Ipv4Range' },
        { $ref: '#/components/schemas/Ipv6Range' },
      ],
    },
    { first: ip, last: ip },
    ipRangeProblem,
  ),
)

export const IpPoolRange = record('IpPoolRange', {
  id: uuid,
  ip_pool_id: uuid,
  range: IpRange,
  time_created: dateTime,
})

export const ipPoolLinks = poolLinkSchemas('IpPool', 'ip_pool_id')

/** Counts of IPv6 addresses are text, because they exceed the exact integers of JSON numbers. */
export const IpPoolUtilization = record('IpPoolUtilization', {
  capacity: double,
  remaining: double,
  ipv4: record('Ipv4Utilization', { allocated: uint64, capacity: uint64 }),
  ipv6: record('Ipv6Utilization', { allocated: string, capacity: string }),
})

/** A pool with its utilization, as in the operators' list. */
export const IpPoolWithUtilization = record('IpPoolWithUtilization', {
  ...identity,
  ip_version: IpVersion,
  pool_type: IpPoolType,
  assignment: IpPoolAssignment,
  utilization: IpPoolUtilization,
})

export const SiloIpPool = record('SiloIpPool', {
  ...identity,
  ip_version: IpVersion,
  pool_type: IpPoolType,
  is_default: boolean,
})

/** A pool by name, or the silo's default. */
export const PoolSelector = named(
  'PoolSelector',
  tagged('type', {
    explicit: { pool: NameOrId },
    auto: { ip_version: IpVersion.nullable().default(null) },
  }),
)

/** An address of a pool in use, and its owner. */
export const IpPoolAddress = record('IpPoolAddress', {
  id: uuid,
  ip,
  kind: oneOf('snat', 'ephemeral', 'floating', 'multicast', 'probe'),
  /** Name of a floating IP, a multicast group or a probe. */
  name: string.nullable(),
  /** Ports of source NAT, for an address shared by several instances. */
  first_port: uint16,
  last_port: uint16,
  /** Null for a multicast group, which belongs to the fleet. */
  silo_name: string.nullable(),
  project_name: string.nullable(),
  instance_id: uuid.nullable(),
  instance_name: string.nullable(),
  time_created: dateTime,
})
