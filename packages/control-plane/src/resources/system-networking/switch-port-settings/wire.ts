import { FORMER_FIELDS, type Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { countRowsBy } from '../../../kernel/db/rows.ts'
import { settingsDocument, type StoredDocument } from './table.ts'
import { storedPeer } from '../bgp/table.ts'

type Settings = Row<'switch_port_settings'>

export const documentOf = ({ document }: Pick<Settings, 'document'>): StoredDocument =>
  settingsDocument.read(document)

export const toWireIdentity = (row: Settings): Wire.SwitchPortSettingsIdentity => ({
  ...identityOf(row),
})

const peersOf = (db: Db, { id }: Settings) =>
  db
    .selectFrom('bgp_peer as peer')
    .innerJoin('bgp_config as config', 'config.id', 'peer.bgp_config_id')
    .select(['link_name', 'peer', 'config.id as config_id', 'config.name as config_name'])
    .where('port_settings_id', '=', id)
    .orderBy('position')
    .execute()

type PeerRow = Awaited<ReturnType<typeof peersOf>>[number]

const toWirePeer = ({ peer, link_name }: PeerRow, bgp_config: string) =>
  ({
    bgp_config,
    ...storedPeer.read(peer),
    [FORMER_FIELDS]: { interface_name: link_name },
  }) satisfies Wire.BgpPeer & { [FORMER_FIELDS]: object }

/** Address → its lot and block. */
async function lotsOf(db: Db, { id }: Settings) {
  const rows = await db
    .selectFrom('reserved_address as reserved')
    .innerJoin('address_lot_block as block', 'block.id', 'reserved.address_lot_block_id')
    .innerJoin('address_lot as lot', 'lot.id', 'block.address_lot_id')
    .select(['reserved.address', 'address_lot_block_id', 'lot.id', 'lot.name'])
    .where('holder', '=', 'switch_port_settings')
    .where('holder_id', '=', id)
    .execute()
  return new Map(rows.map((row) => [row.address, row]))
}

/** Settings as the contract shows them: flat, with the ids of all parts. */
export async function toWireSettings(db: Db, row: Settings): Promise<Wire.SwitchPortSettings> {
  const { links, interfaces, addresses, routes } = documentOf(row)
  const its = { port_settings_id: row.id }
  const lots = await lotsOf(db, row)
  const peers = await peersOf(db, row)
  return {
    ...toWireIdentity(row),
    groups: [],
    port: { ...its, geometry: row.geometry },
    links: links.map(({ lldp, tx_eq, ...link }) => ({
      ...its,
      ...without(link, 'since'),
      lldp_link_config: lldp,
      tx_eq_config: tx_eq ?? null,
    })),
    interfaces: interfaces.map(({ link_name: interface_name, ...one }) => ({
      ...its,
      ...one,
      interface_name,
    })),
    routes: routes.map(({ link_name: interface_name, dst, gw, vid, rib_priority }) => ({
      ...its,
      interface_name,
      dst,
      gw,
      vlan_id: vid ?? null,
      rib_priority: rib_priority ?? null,
    })),
    bgp_peers: peers.map((peer) => toWirePeer(peer, peer.config_id)),
    addresses: addresses.map(({ link_name: interface_name, address, vlan_id }) => {
      const lot = lots.get(address)!
      return {
        ...its,
        address,
        address_lot_id: lot.id,
        address_lot_block_id: lot.address_lot_block_id,
        address_lot_name: lot.name,
        interface_name,
        vlan_id,
      }
    }),
  }
}

function without<Part extends object, Key extends keyof Part>(part: Part, key: Key) {
  const { [key]: _, ...rest } = part
  return rest
}

/** Parts by their links, in the order of the first part of each. */
const byLink = <Part extends { link_name: string }, Item>(
  parts: readonly Part[],
  toWire: (part: Part) => Item,
): { link_name: string; its: Item[] }[] =>
  [...Map.groupBy(parts, ({ link_name }) => link_name)].map(([link_name, its]) => ({
    link_name,
    its: its.map(toWire),
  }))

/** Settings in the form in which they were written, so that they can be written again. */
export async function toWireDetails(
  db: Db,
  row: Settings,
): Promise<Wire.SwitchPortSettingsDetails> {
  const { links, interfaces, addresses, routes } = documentOf(row)
  const lots = await lotsOf(db, row)
  const ports = await db
    .selectFrom('switch_port')
    .select(['id', 'name', 'port_name', 'rack_id', 'switch_slot'])
    .where('port_settings_id', '=', row.id)
    .orderBy('name_key')
    .execute()
  return {
    ...toWireIdentity(row),
    port_config: { geometry: row.geometry },
    links: links.map(({ lldp, ...link }) => ({
      ...without(link, 'since'),
      lldp: without(lldp, 'id'),
    })),
    interfaces: interfaces.map((one) => without(one, 'id')),
    addresses: byLink(addresses, ({ address, vlan_id }) => ({
      address,
      address_lot: lots.get(address)!.name,
      vlan_id,
    })).map(({ link_name, its }) => ({ link_name, addresses: its })),
    routes: byLink(routes, (route) => without(route, 'link_name')).map(({ link_name, its }) => ({
      link_name,
      routes: its,
    })),
    bgp_peers: byLink(await peersOf(db, row), (peer) => toWirePeer(peer, peer.config_name)).map(
      ({ link_name, its }) => ({ link_name, peers: its }),
    ),
    ports,
  }
}

/** Settings of a page of the list, with the parts that it shows. */
export async function settingsSummaries(
  db: Db,
  rows: readonly Settings[],
): Promise<Wire.SwitchPortSettingsSummary[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const counts = (table: 'bgp_peer' | 'switch_port') =>
    countRowsBy(db.selectFrom(table).where('port_settings_id', 'in', ids), 'port_settings_id')
  const peers = await counts('bgp_peer')
  const ports = await counts('switch_port')
  return rows.map((row) => {
    const { links, addresses, routes } = documentOf(row)
    return {
      ...toWireIdentity(row),
      geometry: row.geometry,
      speed: links[0]?.speed ?? null,
      link_count: links.length,
      address_count: addresses.length,
      route_count: routes.length,
      peer_count: peers.get(row.id) ?? 0,
      port_count: ports.get(row.id) ?? 0,
    }
  })
}
