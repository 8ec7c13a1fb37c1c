import type { IpVersion, SiloIpPool } from '@steading/api/client'
import type { InstanceValues, IpVersions } from './values.ts'

export const ipVersions: IpVersion[] = ['v4', 'v6']

/** The pools addresses of a version can come from: the default first, then by name. */
export const poolsOf = (pools: readonly SiloIpPool[], version: IpVersion): SiloIpPool[] =>
  pools
    .filter((pool) => pool.poolType === 'unicast' && pool.ipVersion === version)
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.name < b.name ? -1 : 1))

export const defaultPool = (pools: readonly SiloIpPool[], version: IpVersion): string =>
  poolsOf(pools, version).find((pool) => pool.isDefault)?.name ?? ''

/** Whether the interface the instance is born with speaks a version. */
export function speaks(
  network: InstanceValues['network'],
  versions: IpVersions,
  version: IpVersion,
): boolean {
  if (network === 'none') return false
  return versions === 'dual_stack' || versions === (version === 'v4' ? 'ipv4' : 'ipv6')
}

/** Why no ephemeral address of a version can be had, in two lines; undefined if it can. */
export function noEphemeral(
  pools: readonly SiloIpPool[],
  network: InstanceValues['network'],
  versions: IpVersions,
  version: IpVersion,
): [string, string] | undefined {
  const name = version === 'v4' ? 'IPv4' : 'IPv6'
  if (!speaks(network, versions, version)) {
    return [`Add an ${name} network interface`, `to attach an ephemeral ${name} address`]
  }
  if (poolsOf(pools, version).length === 0) {
    return [`No ${name} pools available`, 'for this instance’s network interfaces']
  }
  return undefined
}
