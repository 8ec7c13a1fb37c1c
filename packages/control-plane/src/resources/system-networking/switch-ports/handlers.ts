import type { tables } from '@steading/api'
import { kinds, type SwitchSlot } from '@steading/api/rules'
import { enginePart } from '../../../kernel/engine-parts.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage, pageOfFew } from '../../../kernel/paging.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { setSettings } from './apply.ts'
import { linksOf } from './links.ts'
import { lldpConfig, putLldpConfig } from './lldp.ts'
import { toWirePort, toWirePortDetails } from './wire.ts'

interface PortKey {
  rack_id: string
  switch_slot: SwitchSlot
  port: string
}

/** @throws ApiError 404 */
async function portAt(
  ctx: LookupContext<'switch_port'>,
  { rack_id, switch_slot, port }: PortKey,
): Promise<Row<'switch_port'>> {
  const missing = () => fail.notFoundByName(kinds.switch_port.type, port)
  authorize(ctx, 'switch_port', {}, missing)
  const found = await rowsOf(ctx.db, 'switch_port')
    .select('its.id')
    .where('rack_id', '=', rack_id)
    .where('switch_slot', '=', switch_slot)
    .where('port_name', '=', port)
    .executeTakeFirst()
  if (!found) throw missing()
  return lookup(ctx, 'switch_port', found.id)
}

/** The port named in the path and the query of a call. */
const named = (
  ctx: LookupContext<'switch_port'> & { params: { port: string }; query: Omit<PortKey, 'port'> },
) => portAt(ctx, { ...ctx.query, ...ctx.params })

const ports = usualHandlers('switch_port', (rows: Row<'switch_port'>[], work) =>
  toWirePortDetails(work, rows),
)

export const switchPortHandlers: Handlers<typeof tables.switchPortOperations> = {
  networking_switch_port_search: ports.search,
  networking_switch_port_view: ports.view,

  async networking_switch_port_list(ctx) {
    authorize(ctx, 'switch_port', {})
    const { switch_port_id } = ctx.query
    let rows = rowsOf(ctx.db, 'switch_port').selectAll()
    if (switch_port_id) rows = rows.where('its.id', '=', switch_port_id)
    return listPage(ctx.page, rows, { id: 'id' }, toWirePort)
  },

  async networking_switch_port_status(ctx) {
    const port = await named(ctx)
    const uplinks = enginePart(ctx.services, 'uplinks')
    const links = (await linksOf(ctx.db, [port])).get(port.id)?.links ?? []
    const statuses = await uplinks.links(links.map(({ configured }) => configured))
    const monitors = await uplinks.monitors({ switch: port.switch_slot, port: port.port_name })
    return {
      links: links.map(({ stored: { link_name, speed, fec, autoneg, mtu } }, index) => ({
        link_name,
        link_state: statuses[index]!.state,
        since: statuses[index]!.since.toISOString(),
        speed,
        fec: fec ?? null,
        autoneg,
        mtu,
      })),
      monitors: monitors
        ? {
            temperature_celsius: monitors.temperature,
            receiver_power_mw: monitors.receiverPower,
            transmitter_power_mw: monitors.transmitterPower,
          }
        : null,
    }
  },

  async networking_switch_port_apply_settings(ctx) {
    const port = await named(ctx)
    const settings = await lookup(ctx, 'switch_port_settings', ctx.body.port_settings)
    await setSettings(ctx, port, settings)
  },

  async networking_switch_port_clear_settings(ctx) {
    await setSettings(ctx, await named(ctx), undefined)
  },

  networking_switch_port_lldp_config_view: async (ctx) => lldpConfig(ctx.db, await named(ctx)),

  async networking_switch_port_lldp_config_update(ctx) {
    await putLldpConfig(ctx, await named(ctx), ctx.body)
  },

  async networking_switch_port_lldp_neighbors(ctx) {
    const port = await portAt(ctx, ctx.params)
    const links = (await linksOf(ctx.db, [port])).get(port.id)?.links ?? []
    const ofLinks = await enginePart(ctx.services, 'uplinks').neighbors(
      links.map(({ configured }) => configured),
    )
    const all = links.flatMap(({ stored }, index) =>
      ofLinks[index]!.map((neighbor) => ({ ...neighbor, id: stored.lldp.id })),
    )
    const { items, next_page } = pageOfFew(ctx.page, all, ({ id }) => id)
    return {
      items: items.map((neighbor) => ({
        local_port: port.port_name,
        chassis_id: neighbor.chassisId,
        link_name: neighbor.linkName,
        link_description: neighbor.linkDescription ?? null,
        system_name: neighbor.systemName,
        system_description: neighbor.systemDescription,
        management_ip: neighbor.managementAddresses.map((ip_addr) => ({
          addr: { ip_addr },
          interface_num: { unknown: 0 },
          oid: null,
        })),
        first_seen: neighbor.firstSeen.toISOString(),
        last_seen: neighbor.lastSeen.toISOString(),
      })),
      next_page,
    }
  },
}
