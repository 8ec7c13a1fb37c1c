import type { IpVersion, PoolSelector, SiloIpPool } from '@steading/api/client'
import { ipVersionName } from '@steading/api/rules'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { withPlainFallback } from '../../data/capabilities.ts'
import { isForbidden } from '../../data/errors.ts'

const query = { limit: ALL_ITEMS }

/** The pools of the user's silo. Only a role on the silo permits listing them. */
export const siloIpPoolsQuery = apiQuery('ipPoolList', { query })

/** The pools from which a project may allocate: those of its silo. */
export const ipPoolsQuery = (project: string) =>
  withPlainFallback(
    'projectOffers',
    apiQuery('projectIpPoolList', { path: { project }, query }),
    siloIpPoolsQuery,
  )

export const ipPoolQuery = (pool: string) => apiQuery('ipPoolView', { path: { pool } })

/** The subnet pools from which a project may allocate: those of its silo. */
export const subnetPoolsQuery = (project: string) =>
  withPlainFallback(
    'projectOffers',
    apiQuery('projectSubnetPoolList', { path: { project }, query }),
    apiQuery('subnetPoolList', { query }),
  )

/** One subnet pool, which every user of the silo may read. */
export const subnetPoolQuery = (pool: string) => apiQuery('subnetPoolView', { path: { pool } })

export const ipVersions: IpVersion[] = ['v4', 'v6']

/**
 * Stands in for the default pool of a version at a control plane without the extension, for users
 * who may allocate from it but not list pools.
 */
const standIn = (ipVersion: IpVersion): SiloIpPool => ({
  id: `default ${ipVersion}`,
  // Not a valid name of a pool, so it cannot collide.
  name: `Default ${ipVersionName[ipVersion]} pool`,
  description: 'The default of the silo. Seeing its pools requires a role on the silo.',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  ipVersion,
  poolType: 'unicast',
  // It is unknown whether a default exists, so none is preselected.
  isDefault: false,
})
const standIns = ipVersions.map(standIn)

/**
 * The IP or subnet pools to choose from; stand-ins for the defaults if the user may not list pools.
 */
export const poolsToChoose = <Pool extends object>({
  data,
  error,
}: {
  data: { items: Pool[] } | undefined
  error: unknown
}): (Pool | SiloIpPool)[] => data?.items ?? (isForbidden(error) ? standIns : [])

/** The pool selector of a call, for a pool chosen by name. */
export function poolSelectorOf(pool: string): PoolSelector {
  const standing = standIns.find(({ name }) => name === pool)
  return standing ? { type: 'auto', ipVersion: standing.ipVersion } : { type: 'explicit', pool }
}

/** The unicast pools: defaults first, then v4 before v6, then by name. */
export const unicastPools = (
  pools: readonly SiloIpPool[],
  versions: readonly IpVersion[] = ipVersions,
): SiloIpPool[] =>
  pools
    .filter((pool) => pool.poolType === 'unicast' && versions.includes(pool.ipVersion))
    .toSorted(
      (a, b) =>
        Number(b.isDefault) - Number(a.isDefault) ||
        a.ipVersion.localeCompare(b.ipVersion) ||
        (a.name < b.name ? -1 : 1),
    )

/** The name of the default pool. Empty with two defaults, as the user must choose. */
export function onlyDefault(pools: readonly SiloIpPool[]): string {
  const defaults = pools.filter(({ isDefault }) => isDefault)
  return defaults.length === 1 ? defaults[0]!.name : ''
}
