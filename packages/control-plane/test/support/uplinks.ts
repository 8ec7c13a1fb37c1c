/** Lots, announce sets and peers, as operators would make them. */
import type { Wire } from '@steading/api'
import type { SwitchSlot } from '@steading/api/rules'
import type { Db } from '../../src/kernel/db/database.ts'
import type { PeerSettings } from '../../src/kernel/ports/uplinks.ts'
import type { Caller } from './caller.ts'

let count = 0
export const freshUplink = () => `uplink-${count++}`

/** A network of 256 addresses that nothing else has. */
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

/** A set that announces a network of a lot of its own. */
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

/** A configuration with an announce set of its own. */
export async function createBgpConfig(admin: Caller, name = freshUplink()) {
  const announced = await createAnnounceSet(admin)
  const config = await admin.call('networking_bgp_config_create', {
    body: { name, description: '', asn: freshAsn(), bgp_announce_set_id: announced.set.name },
  })
  return { config, ...announced }
}

const settings: PeerSettings = {
  addr: { type: 'numbered', target_addr: '198.51.100.1' },
  allowed_export: { type: 'no_filtering' },
  allowed_import: { type: 'no_filtering' },
  connect_retry: 3,
  delay_open: 3,
  hold_time: 6,
  idle_hold_time: 3,
  keepalive: 2,
  remote_asn: 64_999,
}

/** A port with settings that have one peer. */
export async function addPeer(
  db: Db,
  configId: string,
  more: Partial<PeerSettings> = {},
  { slot = 'switch0', applied = new Date() }: { slot?: SwitchSlot; applied?: Date } = {},
): Promise<{ port_settings_id: string; rack_id: string; port_name: string }> {
  const port_settings_id = crypto.randomUUID()
  const rack_id = crypto.randomUUID()
  const port_name = `qsfp${count++}`
  await db
    .insertInto('switch_port')
    .values({
      id: crypto.randomUUID(),
      rack_id,
      switch_slot: slot,
      port_name,
      port_settings_id,
      time_applied: applied.toISOString(),
    })
    .execute()
  await db
    .insertInto('bgp_peer')
    .values({
      id: crypto.randomUUID(),
      port_settings_id,
      link_name: 'phy0',
      bgp_config_id: configId,
      peer: JSON.stringify({ ...settings, ...more }),
    })
    .execute()
  return { port_settings_id, rack_id, port_name }
}
