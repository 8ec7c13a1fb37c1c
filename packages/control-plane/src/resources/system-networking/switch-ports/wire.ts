import type { Wire } from '@steading/api'
import { enginePart } from '../../../kernel/engine-parts.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { pick } from '../../../kernel/pick.ts'
import { linksOf } from './links.ts'

type Port = Row<'switch_port'>

export const toWirePort = (row: Port): Wire.SwitchPort => ({
  ...pick(row, 'id', 'port_name', 'port_settings_id', 'rack_id', 'switch_slot'),
})

/** Ports with their settings, and with the reports of the switches about their links. */
export async function toWirePortDetails(
  { db, services }: { db: Db; services: Pick<ControlPlaneServices, 'engine' | 'uplinks'> },
  ports: readonly Port[],
): Promise<Wire.SwitchPortDetails[]> {
  const ofPorts = await linksOf(db, ports)
  const all = [...ofPorts.values()].flatMap(({ links }) => links)
  const statuses = await enginePart(services, 'uplinks').links(
    all.map(({ configured }) => configured),
  )
  const statusOf = new Map(all.map((link, index) => [link, statuses[index]!]))
  return ports.map((port) => {
    const its = ofPorts.get(port.id)
    return {
      ...toWirePort(port),
      name: port.name,
      port_settings_name: its?.settings ?? null,
      time_applied: port.time_applied,
      links: (its?.links ?? []).map((link) => {
        const { state, since } = statusOf.get(link)!
        const { link_name, speed } = link.stored
        return { link_name, state, time_changed: since.toISOString(), speed }
      }),
    }
  })
}
