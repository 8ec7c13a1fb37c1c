import type { IpVersion, SiloIpPool } from '@steading/api/client'

export const ipVersions: IpVersion[] = ['v4', 'v6']

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

/** The name of the default pool. With two defaults, the user has to choose. */
export function onlyDefault(pools: readonly SiloIpPool[]): string {
  const defaults = pools.filter(({ isDefault }) => isDefault)
  return defaults.length === 1 ? defaults[0]!.name : ''
}
