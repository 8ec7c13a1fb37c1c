import {
  boolean,
  identity,
  named,
  NameOrId,
  oneOf,
  record,
  resultsPage,
  tagged,
} from '../schema.ts'

export const IpVersion = named('IpVersion', oneOf('v4', 'v6'))
export const IpPoolType = named('IpPoolType', oneOf('unicast', 'multicast'))

export const SiloIpPool = record('SiloIpPool', {
  ...identity,
  ip_version: IpVersion,
  pool_type: IpPoolType,
  is_default: boolean,
})
export const SiloIpPoolResultsPage = resultsPage('SiloIpPool', SiloIpPool)

/** A pool by name, or the silo's default. */
export const PoolSelector = named(
  'PoolSelector',
  tagged('type', {
    explicit: { pool: NameOrId },
    auto: { ip_version: IpVersion.nullable().default(null) },
  }),
)
