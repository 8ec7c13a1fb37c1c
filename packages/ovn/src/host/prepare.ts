/** What the host of machines needs besides OVN: bridges, and the way of external addresses. */
import { uplinkAddresses } from '../vpc/uplink.ts'
import { versions } from '../vpc/names.ts'
import type { Run } from './run.ts'

/** The bridge at which machines are attached; OVN's controller makes it. */
export const MACHINE_BRIDGE = 'br-int'
/** The bridge between the routers of VPCs and the host. */
export const UPLINK_BRIDGE = 'br-outside'
/** The name of the uplink in OVN. */
export const UPLINK_NETWORK = 'outside'
/** Our table in the host's netfilter. */
const NFT_TABLE = 'steading'

/** A setting of Open vSwitch's database; undefined without one. */
async function settingOf(run: Run, key: string): Promise<string | undefined> {
  const text = await run('ovs-vsctl', '--if-exists', 'get', 'open', '.', `external_ids:${key}`)
  return /^"?([^"\n]+)"?\n$/.exec(text)?.[1]
}

const set = (run: Run, key: string, value: string): Promise<string> =>
  run('ovs-vsctl', 'set', 'open', '.', `external_ids:${key}=${value}`)

/** Marks connections of machines to the outside. */
const MARK = '0x5374'
/** Neighbours are found by these. */
const NEIGHBOURS = '{ nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit }'

/**
 * Machines reach this host by its public addresses only, and the outside by the address of the host,
 * because nobody there knows the way to external addresses.
 */
const ruleset = (): string => `
add table inet ${NFT_TABLE}
delete table inet ${NFT_TABLE}
add table inet ${NFT_TABLE}
add chain inet ${NFT_TABLE} in { type filter hook input priority filter; }
add rule inet ${NFT_TABLE} in iifname "${UPLINK_BRIDGE}" icmpv6 type ${NEIGHBOURS} accept
add rule inet ${NFT_TABLE} in iifname "${UPLINK_BRIDGE}" ip daddr 169.254.0.0/16 ct state new drop
add rule inet ${NFT_TABLE} in iifname "${UPLINK_BRIDGE}" ip6 daddr { fe80::/10, fc00::/7 } ct state new drop
add chain inet ${NFT_TABLE} through { type filter hook forward priority mangle; }
add rule inet ${NFT_TABLE} through iifname "${UPLINK_BRIDGE}" oifname != "${UPLINK_BRIDGE}" ct mark set ${MARK}
add chain inet ${NFT_TABLE} out { type nat hook postrouting priority srcnat; }
add rule inet ${NFT_TABLE} out ct mark ${MARK} oifname != "${UPLINK_BRIDGE}" masquerade
`

/**
 * Prepares a host; may be repeated. Settings of OVN that are there stay as they are, so that the
 * operator may choose them.
 * @returns the name of the host among OVN's chassis
 */
export async function prepareHost(
  run: Run,
  { southbound }: { southbound: string },
): Promise<{ chassis: string }> {
  const chassis = await settingOf(run, 'system-id')
  if (chassis === undefined) throw new Error('Open vSwitch has no system-id')
  const defaults = {
    'ovn-remote': `unix:${southbound}`,
    'ovn-encap-type': 'geneve',
    'ovn-encap-ip': '127.0.0.1',
  }
  for (const [key, value] of Object.entries(defaults)) {
    if ((await settingOf(run, key)) === undefined) await set(run, key, value)
  }
  const mappings = (await settingOf(run, 'ovn-bridge-mappings'))?.split(',') ?? []
  const mapping = `${UPLINK_NETWORK}:${UPLINK_BRIDGE}`
  if (!mappings.includes(mapping)) {
    await set(run, 'ovn-bridge-mappings', [...mappings, mapping].join(','))
  }
  const datapath = (await settingOf(run, 'ovn-bridge-datapath-type')) ?? 'system'
  await run(
    'ovs-vsctl',
    '--may-exist',
    'add-br',
    UPLINK_BRIDGE,
    '--',
    'set',
    'bridge',
    UPLINK_BRIDGE,
    `datapath_type=${datapath}`,
    'fail_mode=standalone',
  )
  await run('ip', 'link', 'set', UPLINK_BRIDGE, 'up')
  for (const version of versions) {
    const { beyond, own } = uplinkAddresses[version]
    await run('ip', 'address', 'replace', `${beyond}/${own.split('/')[1]}`, 'dev', UPLINK_BRIDGE)
  }
  await run('sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1')
  await run('nft', ruleset())
  return { chassis }
}
