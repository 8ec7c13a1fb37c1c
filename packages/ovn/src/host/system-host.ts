/** A machine whose OVN and Open vSwitch are those of the system, prepared by root. */
import { readFile } from 'node:fs/promises'
import { isLoopback } from '@steading/api/rules'
import {
  addUplinkAddresses,
  type NetworkHost,
  UPLINK_BRIDGE,
  UPLINK_BRIDGE_PORT,
  UPLINK_DEVICE,
  UPLINK_NETWORK,
} from './host.ts'
import { type Remote, remoteText } from '../ovsdb/remote.ts'
import type { Run } from './run.ts'

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
add rule inet ${NFT_TABLE} in iifname "${UPLINK_DEVICE}" icmpv6 type ${NEIGHBOURS} accept
add rule inet ${NFT_TABLE} in iifname "${UPLINK_DEVICE}" ip daddr 169.254.0.0/16 ct state new drop
add rule inet ${NFT_TABLE} in iifname "${UPLINK_DEVICE}" ip6 daddr { fe80::/10, fc00::/7 } ct state new drop
add chain inet ${NFT_TABLE} through { type filter hook forward priority mangle; }
add rule inet ${NFT_TABLE} through iifname "${UPLINK_DEVICE}" oifname != "${UPLINK_DEVICE}" ct mark set ${MARK}
add chain inet ${NFT_TABLE} out { type nat hook postrouting priority srcnat; }
add rule inet ${NFT_TABLE} out ct mark ${MARK} oifname != "${UPLINK_DEVICE}" masquerade
`

/**
 * Settings of OVN that are there stay as they are, so that the operator may choose them.
 * @returns the name of the host among OVN's chassis
 */
async function configureSwitch(run: Run, southbound: Remote, isAlone: boolean): Promise<string> {
  const chassis = await settingOf(run, 'system-id')
  if (chassis === undefined) throw new Error('Open vSwitch has no system-id')
  const defaults = {
    'ovn-remote': remoteText(southbound),
    'ovn-encap-type': 'geneve',
    ...(isAlone && { 'ovn-encap-ip': '127.0.0.1' }),
  }
  for (const [key, value] of Object.entries(defaults)) {
    if ((await settingOf(run, key)) === undefined) await set(run, key, value)
  }
  const tunnels = await settingOf(run, 'ovn-encap-ip')
  if (!isAlone && (tunnels === undefined || isLoopback(tunnels))) {
    throw new Error(
      'Open vSwitch has no address for tunnels to other hosts: ovs-vsctl set open . external_ids:ovn-encap-ip=ADDRESS',
    )
  }
  const mappings = (await settingOf(run, 'ovn-bridge-mappings'))?.split(',') ?? []
  const mapping = `${UPLINK_NETWORK}:${UPLINK_BRIDGE}`
  if (!mappings.includes(mapping)) {
    await set(run, 'ovn-bridge-mappings', [...mappings, mapping].join(','))
  }
  const datapath = (await settingOf(run, 'ovn-bridge-datapath-type')) ?? 'system'
  const bridge = [
    'set',
    'bridge',
    UPLINK_BRIDGE,
    `datapath_type=${datapath}`,
    'fail_mode=standalone',
  ]
  const port = ['--', '--may-exist', 'add-port', UPLINK_BRIDGE, UPLINK_BRIDGE_PORT]
  await run('ovs-vsctl', '--may-exist', 'add-br', UPLINK_BRIDGE, '--', ...bridge, ...port)
  return chassis
}

async function addDevice(run: Run): Promise<void> {
  const links = JSON.parse(await run('ip', '-json', 'link', 'show')) as { ifname: string }[]
  if (!links.some(({ ifname }) => ifname === UPLINK_DEVICE)) {
    await run(
      'ip',
      'link',
      'add',
      UPLINK_DEVICE,
      'type',
      'veth',
      'peer',
      'name',
      UPLINK_BRIDGE_PORT,
    )
  }
  // Open vSwitch in user space sends packets as they are, without their checksum.
  await run('ethtool', '-K', UPLINK_DEVICE, 'tx', 'off')
  for (const device of [UPLINK_DEVICE, UPLINK_BRIDGE_PORT])
    await run('ip', 'link', 'set', device, 'up')
}

/** A server that may not change the kernel's settings is content if the operator has made them. */
async function forwardPackets(run: Run): Promise<void> {
  for (const key of ['net.ipv4.ip_forward', 'net.ipv6.conf.all.forwarding']) {
    if ((await run('sysctl', '-n', key)).trim() !== '1') await run('sysctl', '-qw', `${key}=1`)
  }
}

/**
 * @param southbound OVN's southbound database, unless Open vSwitch knows another way to it
 * @param hasOthers whether machines run on other hosts as well
 * @param controllerLog by default, where Debian's service writes it
 */
export const systemHost = (
  run: Run,
  southbound: Remote,
  { hasOthers = false, controllerLog = '/var/log/ovn/ovn-controller.log' } = {},
): NetworkHost => ({
  run,
  controllerLog,
  southbound,
  async prepare() {
    await addDevice(run)
    const chassis = await configureSwitch(run, southbound, !hasOthers)
    await addUplinkAddresses(run)
    await forwardPackets(run)
    await run('nft', ruleset())
    return { chassis, id: await readFile('/proc/sys/kernel/random/boot_id', 'utf8') }
  },
})
