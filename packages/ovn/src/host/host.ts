/** The host of machines, as far as networks need it. */
import type { Remote } from '../ovsdb/remote.ts'
import { versions } from '../vpc/names.ts'
import { uplinkAddresses } from '../vpc/uplink.ts'
import type { Run } from './run.ts'

/** The bridge at which machines are attached; OVN's controller makes it. */
export const MACHINE_BRIDGE = 'br-int'
/** The bridge between the routers of VPCs and the host. */
export const UPLINK_BRIDGE = 'br-outside'
/** The name of the uplink in OVN. */
export const UPLINK_NETWORK = 'outside'
/** The port of that bridge to which the host is attached. */
export const UPLINK_BRIDGE_PORT = 'outside-ovs'
/**
 * The host's own device at the uplink: one end of a pair, whose other end is a port of the bridge.
 * It keeps its addresses and routes when Open vSwitch ends, which takes its own devices along.
 */
export const UPLINK_DEVICE = 'outside'

export interface NetworkHost {
  /**
   * Prepares the host, unless it is; may be repeated at any time.
   * @returns the name of the host among OVN's chassis, and an id, which is another one when the host
   *   has lost its routes
   */
  prepare: () => Promise<{ chassis: string; id: string }>
  run: Run
  /** Path of the log of `ovn-controller`. */
  controllerLog: string
  /** OVN's southbound database, as commands of the host find it. */
  southbound: Remote
}

/**
 * The MAC address of the device: OVN remembers it over a reboot, after which the device would have
 * another one.
 */
export const UPLINK_MAC = '02:53:74:64:6e:67'

/** Gives the host its addresses at the uplink. */
export async function addUplinkAddresses(run: Run): Promise<void> {
  await run('ip', 'link', 'set', UPLINK_DEVICE, 'address', UPLINK_MAC)
  for (const version of versions) {
    const { beyond, own } = uplinkAddresses[version]
    const address = `${beyond}/${own.split('/')[1]}`
    const more = version === 'v6' ? ['nodad'] : []
    await run('ip', 'address', 'replace', address, 'dev', UPLINK_DEVICE, ...more)
  }
}
