import type { IpVersion, SiloIpPool } from '@steading/api/client'
import { ipVersionName } from '@steading/api/rules'
import { unicastPools } from '../../../networking/pools/own-pools.ts'
import { primaryVersions, type NetworkValues } from './values.ts'

/** The pools of an IP version: the default first, then by name. */
export const poolsOf = (pools: readonly SiloIpPool[], version: IpVersion): SiloIpPool[] =>
  unicastPools(pools, [version])

export const defaultPool = (pools: readonly SiloIpPool[], version: IpVersion): string =>
  poolsOf(pools, version).find((pool) => pool.isDefault)?.name ?? ''

/**
 * Why an instance cannot get an ephemeral IP of this version, in two lines; undefined if it can.
 */
export function noEphemeral(
  pools: readonly SiloIpPool[],
  network: NetworkValues,
  version: IpVersion,
): [string, string] | undefined {
  const name = ipVersionName[version]
  if (!primaryVersions(network).includes(version)) {
    return [`Add an ${name} network interface`, `to attach an ephemeral ${name} address`]
  }
  if (poolsOf(pools, version).length === 0) {
    return [`No ${name} pools available`, 'for this instance’s network interfaces']
  }
  return undefined
}
