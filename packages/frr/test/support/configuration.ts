/** Configurations of uplinks as the rows of a control plane give them. */
import type {
  ConfiguredBfd,
  ConfiguredLink,
  ConfiguredPeer,
  PeerSettings,
  UplinkConfiguration,
} from '@steading/control-plane/ports'

const since = new Date('2026-11-29T12:00:00Z')

/** A peer with the times that the API's own clients suggest. */
export const peer = (
  settings: Partial<PeerSettings> = {},
  more: Partial<ConfiguredPeer> = {},
): ConfiguredPeer => ({
  switch: 'switch0',
  port: 'qsfp0',
  interface: 'qsfp0-phy0',
  link: 'phy0',
  position: 0,
  localAsn: 65_000,
  maxPaths: 1,
  vrf: null,
  networks: ['198.51.100.0/24'],
  since,
  settings: {
    addr: { type: 'numbered', target_addr: '192.0.2.1', src_addr: null },
    allowed_export: { type: 'no_filtering' },
    allowed_import: { type: 'no_filtering' },
    communities: [],
    connect_retry: 1,
    delay_open: 0,
    enforce_first_as: false,
    hold_time: 9,
    idle_hold_time: 3,
    keepalive: 3,
    remote_asn: 64_512,
    ...settings,
  },
  ...more,
})

export const link = (more: Partial<ConfiguredLink> = {}): ConfiguredLink => ({
  switch: 'switch0',
  port: 'qsfp0',
  link: 'phy0',
  position: 0,
  speed: 'speed100_g',
  autoneg: false,
  mtu: 1500,
  lldp: false,
  lldpTexts: {},
  since,
  ...more,
})

export const bfd = (more: Partial<ConfiguredBfd> = {}): ConfiguredBfd => ({
  switch: 'switch0',
  peer: '192.0.2.1',
  local: null,
  threshold: 3,
  requiredRx: 300_000,
  mode: 'single_hop',
  since,
  ...more,
})

/** One link with an address, and what else is given. */
export const uplinks = (more: Partial<UplinkConfiguration> = {}): UplinkConfiguration => ({
  links: [link()],
  addresses: [
    { switch: 'switch0', port: 'qsfp0', link: 'phy0', vlan: null, address: '192.0.2.2/30' },
  ],
  routes: [],
  loopbacks: [],
  peers: [],
  bfd: [],
  ...more,
})
