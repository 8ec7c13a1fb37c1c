import { switchSlots } from '@steading/api/rules'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { toWirePortDetails } from './wire.ts'
import './table.ts'

export const switchPortIssues: Finder = async ({ db, services }) => {
  if (!services.uplinks) return []
  const configured = db.selectFrom('switch_port').where('port_settings_id', 'is not', null)
  const rows = await configured.selectAll().orderBy('name_key').limit(ISSUE_ROWS).execute()
  const ports = await toWirePortDetails({ db, services }, rows)
  const ofLinks = ports.flatMap(({ id, name: port, links }) => [
    ...links
      .filter(({ state }) => state === 'down')
      .map(({ link_name: link, time_changed }) =>
        issue('link_down', `${id}/${link}`, time_changed, { link, port, id }),
      ),
    ...(links.length === 0 ? [issue('switch_port_without_link', id, null, { port, id })] : []),
  ])
  if (rows.length === 0) return ofLinks
  const slots = await configured.select('switch_slot').distinct().execute()
  const seen = new Set((await services.uplinks.ports()).map(({ switch: slot }) => slot))
  const without = switchSlots.filter(
    (slot) => seen.has(slot) && !slots.some((its) => its.switch_slot === slot),
  )
  return [
    ...ofLinks,
    ...without.map((slot) => issue('switch_without_uplink', slot, null, { switch: slot })),
  ]
}
