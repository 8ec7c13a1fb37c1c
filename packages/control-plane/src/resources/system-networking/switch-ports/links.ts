import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { ConfiguredLink, LldpTexts } from '../../../kernel/ports/uplinks.ts'
import { pick } from '../../../kernel/pick.ts'
import type { StoredLink } from '../switch-port-settings/table.ts'
import { documentOf } from '../switch-port-settings/wire.ts'
import './table.ts'

type Port = Row<'switch_port'>

const lldpTexts = (lldp: StoredLink['lldp']): LldpTexts =>
  pick(
    lldp,
    'link_name',
    'link_description',
    'chassis_id',
    'system_name',
    'system_description',
    'management_ip',
  )

/** A link of a port with its part of the port's settings. */
export interface LinkOfPort {
  stored: StoredLink
  configured: ConfiguredLink
}

/** The links of the given ports; id of the port → its links, and the name of its settings. */
export async function linksOf(
  db: Db,
  ports: readonly Port[],
): Promise<Map<string, { settings: string; links: LinkOfPort[] }>> {
  const ids = ports.flatMap(({ port_settings_id }) => port_settings_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('switch_port_settings')
    .select(['id', 'name', 'document'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  const settings = new Map(
    rows.map((row) => [row.id, { name: row.name, links: documentOf(row).links }]),
  )
  return new Map(
    ports.flatMap((port): [string, { settings: string; links: LinkOfPort[] }][] => {
      const its = port.port_settings_id && settings.get(port.port_settings_id)
      if (!its) return []
      const links = its.links.map((stored, position) => ({
        stored,
        configured: {
          switch: port.switch_slot,
          port: port.port_name,
          link: stored.link_name,
          ...pick(stored, 'speed', 'autoneg', 'mtu', 'fec'),
          position,
          lldp: stored.lldp.enabled,
          lldpTexts: lldpTexts(stored.lldp),
          since: new Date(stored.since > port.time_applied! ? stored.since : port.time_applied!),
        },
      }))
      return [[port.id, { settings: its.name, links }]]
    }),
  )
}
