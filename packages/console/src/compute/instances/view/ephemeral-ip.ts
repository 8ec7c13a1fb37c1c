import type { ExternalIp, IpVersion, SiloIpPool } from '@steading/api/client'
import { INSTANCE_MAX_EXTERNAL_IPS, ipVersion, ipVersionName } from '@steading/api/rules'
import { ipVersions, unicastPools } from '../../../networking/pools/own-pools.ts'

export type EphemeralOffer =
  | { disabledReason: string; pools: []; info?: never }
  | { disabledReason?: never; pools: SiloIpPool[]; info: string }

const no = (disabledReason: string): EphemeralOffer => ({ disabledReason, pools: [] })

/**
 * The pools for an ephemeral IP: an instance can have one per version of its primary interface.
 * @param primary versions of the primary interface; none without one
 */
export function ephemeralOffer(
  primary: readonly IpVersion[],
  ips: readonly ExternalIp[],
  pools: readonly SiloIpPool[],
): EphemeralOffer {
  if (primary.length === 0) return no('Instance has no network interfaces')
  const taken = ips.flatMap(({ kind, ip }) => (kind === 'ephemeral' ? [ipVersion(ip)] : []))
  const open = primary.filter((version) => !taken.includes(version))
  if (open.length === 0) {
    return no(
      primary.length === 1
        ? 'Instance already has an ephemeral IP'
        : 'Instance already has v4 and v6 ephemeral IPs',
    )
  }
  const offered = unicastPools(pools, open)
  if (offered.length === 0) {
    return no(`No ${open.join(' or ')} pools available for ephemeral IPs`)
  }
  if (ips.filter(({ kind }) => kind !== 'snat').length >= INSTANCE_MAX_EXTERNAL_IPS) {
    return no(
      `An instance may not have more than ${INSTANCE_MAX_EXTERNAL_IPS} external IP addresses`,
    )
  }
  const shown = ipVersions.filter((version) => offered.some((pool) => pool.ipVersion === version))
  if (shown.length > 1) {
    const info = 'Dual-stack network interfaces support one ephemeral IP per version.'
    return { pools: offered, info }
  }
  const version = shown[0]!
  const other = version === 'v4' ? 'v6' : 'v4'
  let why = `no ${other} pools are available.`
  if (!primary.includes(other)) {
    why = `the primary network interface is ${ipVersionName[version]}-only.`
  } else if (taken.includes(other)) {
    why = `this instance already has a ${other} ephemeral IP.`
  }
  return { pools: offered, info: `Only ${version} pools are shown because ${why}` }
}

/** Why no floating IP can be attached to an instance; undefined if one can. */
export function noFloatingIp(ips: readonly ExternalIp[], available: number): string | undefined {
  if (ips.filter(({ kind }) => kind === 'floating').length >= INSTANCE_MAX_EXTERNAL_IPS) {
    return `Floating IP address limit of ${INSTANCE_MAX_EXTERNAL_IPS} reached for this instance`
  }
  return available === 0 ? 'No available floating IPs' : undefined
}
