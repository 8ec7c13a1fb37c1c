/** All that the switches are to have, by the rows. */
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import type { UplinkConfiguration } from '../../../kernel/ports/uplinks.ts'
import { configuredBfd } from '../bfd/states.ts'
import { configuredPeers } from '../bgp/peers.ts'
import { linksOf } from '../switch-ports/links.ts'
import { documentOf } from '../switch-port-settings/wire.ts'

export async function uplinkConfiguration(db: Db): Promise<UplinkConfiguration> {
  const ports = await rowsOf(db, 'switch_port')
    .selectAll()
    .where('port_settings_id', 'is not', null)
    .orderBy('name_key')
    .execute()
  const ids = [...new Set(ports.map(({ port_settings_id }) => port_settings_id!))]
  const settings =
    ids.length === 0
      ? []
      : await db
          .selectFrom('switch_port_settings')
          .select(['id', 'document'])
          .where('id', 'in', ids)
          .execute()
  const documents = new Map(settings.map((row) => [row.id, documentOf(row)]))
  const parts = ports.flatMap((port) => {
    const document = documents.get(port.port_settings_id!)
    const at = { switch: port.switch_slot, port: port.port_name }
    return document ? [{ at, document }] : []
  })
  const links = await linksOf(db, ports)
  const loopbacks = await rowsOf(db, 'loopback_address').selectAll().orderBy('address').execute()
  return {
    peers: await configuredPeers(db),
    links: [...links.values()].flatMap((its) => its.links.map(({ configured }) => configured)),
    addresses: parts.flatMap(({ at, document }) =>
      document.addresses.map(({ link_name: link, address, vlan_id: vlan }) => ({
        ...at,
        link,
        address,
        vlan,
      })),
    ),
    routes: parts.flatMap(({ at, document }) =>
      document.routes.map(({ link_name: link, dst, gw, vid, rib_priority }) => ({
        ...at,
        link,
        vlan: vid ?? null,
        destination: dst,
        gateway: gw,
        priority: rib_priority ?? null,
      })),
    ),
    loopbacks: loopbacks.map(({ switch_slot, address, anycast }) => ({
      switch: switch_slot,
      address,
      anycast: anycast === 1,
    })),
    bfd: await configuredBfd(db),
  }
}
