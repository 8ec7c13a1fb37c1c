import { FLEET_ID, switchPortName } from '@steading/api/rules'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Uplinks } from '../../../kernel/ports/uplinks.ts'
import { named } from '../../../kernel/search/name-key.ts'
import './table.ts'

/**
 * Creates the rows of the switches' ports, if they do not exist yet. Ports that are gone stay while they
 * have settings.
 */
export async function setUpPorts(
  { db, transaction }: OpenDatabase,
  uplinks: Uplinks,
): Promise<void> {
  const seen = await uplinks.ports()
  const known = await db.selectFrom('switch_port').select(['id', 'rack_id', 'name']).execute()
  const names = new Set(known.map(({ rack_id, name }) => `${rack_id} ${name}`))
  const racks = await db.selectFrom('rack').select('id').execute()
  const ports = racks.flatMap(({ id: rack_id }) =>
    seen
      .map(({ switch: slot, port }) => ({
        id: crypto.randomUUID(),
        fleet_id: FLEET_ID,
        rack_id,
        switch_slot: slot,
        port_name: port,
        ...named(switchPortName(slot, port)),
        port_settings_id: null,
        time_applied: null,
      }))
      .filter(({ name }) => !names.has(`${rack_id} ${name}`)),
  )
  const there = new Set(seen.map(({ switch: slot, port }) => switchPortName(slot, port)))
  const gone = known.filter(({ name }) => !there.has(name)).map(({ id }) => id)
  if (gone.length > 0) {
    await db
      .deleteFrom('switch_port')
      .where('id', 'in', gone)
      .where('port_settings_id', 'is', null)
      .execute()
  }
  if (ports.length === 0) return
  // Another server may create the same ones.
  await transaction((tx) =>
    tx
      .insertInto('switch_port')
      .values(ports)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
