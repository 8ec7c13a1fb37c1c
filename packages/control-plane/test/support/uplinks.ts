/** Lots, announce sets and peers, as operators would make them. */
import type { Wire } from '@steading/api'
import type { SwitchSlot } from '@steading/api/rules'
import type { Caller } from './caller.ts'

let count = 0
export const freshUplink = () => `uplink-${count++}`

/** A network of 256 addresses used by nothing else. */
export function freshNetwork() {
  const network = `10.${100 + (count >> 8)}.${count++ & 0xff}`
  return {
    first: `${network}.0`,
    last: `${network}.255`,
    cidr: `${network}.0/24`,
    at: (host: number) => `${network}.${host}`,
  }
}

/** A lot of one block. */
export async function createLot(
  admin: Caller,
  { first, last }: { first: string; last: string },
  name = freshUplink(),
): Promise<Wire.AddressLotCreateResponse> {
  return admin.call('networking_address_lot_create', {
    body: {
      name,
      description: '',
      kind: 'infra',
      blocks: [{ first_address: first, last_address: last }],
    },
  })
}

/** A set that announces a network of a new lot. */
export async function createAnnounceSet(admin: Caller, name = freshUplink()) {
  const network = freshNetwork()
  const { lot, blocks } = await createLot(admin, network)
  const set = await admin.call('networking_bgp_announce_set_update', {
    body: {
      name,
      description: '',
      announcement: [{ address_lot_block: blocks[0]!.id, network: network.cidr }],
    },
  })
  return { set, lot, block: blocks[0]!, network: network.cidr }
}

let asn = 65_000
export const freshAsn = () => asn++

/** A configuration with a new announce set. */
export async function createBgpConfig(admin: Caller, name = freshUplink()) {
  const announced = await createAnnounceSet(admin)
  const config = await admin.call('networking_bgp_config_create', {
    body: { name, description: '', asn: freshAsn(), bgp_announce_set_id: announced.set.name },
  })
  return { config, ...announced }
}

/** A peer with the times that the API's own clients suggest. */
export const peerOf = ({ id }: { id: string }, more: Partial<Wire.BgpPeer> = {}): Wire.BgpPeer => ({
  bgp_config: id,
  addr: { type: 'numbered', target_addr: '198.51.100.1', src_addr: null },
  allowed_export: { type: 'no_filtering' },
  allowed_import: { type: 'no_filtering' },
  communities: [],
  connect_retry: 3,
  delay_open: 3,
  enforce_first_as: false,
  hold_time: 6,
  idle_hold_time: 3,
  keepalive: 2,
  remote_asn: 64_999,
  ...more,
})

/** Settings of a port with one link. */
export const portSettings = (
  more: Partial<Wire.SwitchPortSettingsCreate> = {},
): Wire.SwitchPortSettingsCreate => ({
  name: freshUplink(),
  description: '',
  port_config: { geometry: 'qsfp28x1' },
  links: [
    { link_name: 'phy0', mtu: 1500, speed: 'speed100_g', autoneg: false, lldp: { enabled: true } },
  ],
  interfaces: [],
  addresses: [],
  routes: [],
  bgp_peers: [],
  groups: [],
  ...more,
})

/** The parameters that address a port. */
export const placeOf = ({ rack_id, switch_slot, port_name }: Wire.SwitchPort) => ({
  params: { port: port_name },
  query: { rack_id, switch_slot },
})

/** A port of a switch that has no settings. */
export async function freePort(admin: Caller, switch_slot: SwitchSlot = 'switch0') {
  const { items } = await admin.call('networking_switch_port_search', {
    query: { switch_slot, configured: 'no', sort_by: 'natural_name_ascending', limit: 1 },
  })
  return items[0]!
}

/** Applies settings to a port that has none. */
export async function applyTo(admin: Caller, settings: { name: string }, slot?: SwitchSlot) {
  const port = await freePort(admin, slot)
  await admin.call('networking_switch_port_apply_settings', {
    ...placeOf(port),
    body: { port_settings: settings.name },
  })
  return port
}

/** A port with settings that have one peer. */
export async function addPeer(
  admin: Caller,
  config: { id: string },
  more: Partial<Wire.BgpPeer> = {},
  slot?: SwitchSlot,
) {
  const settings = await admin.call('networking_switch_port_settings_create', {
    body: portSettings({ bgp_peers: [{ link_name: 'phy0', peers: [peerOf(config, more)] }] }),
  })
  return { settings, port: await applyTo(admin, settings, slot) }
}

/** Removes the settings from all ports. */
export async function clearPorts(admin: Caller): Promise<void> {
  const { items } = await admin.call('networking_switch_port_search', {
    query: { configured: 'yes' },
  })
  for (const port of items) {
    await admin.call('networking_switch_port_clear_settings', placeOf(port))
  }
}
