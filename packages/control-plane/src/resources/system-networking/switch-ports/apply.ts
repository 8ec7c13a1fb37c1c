/** Applies settings to ports. The switches get the settings after the commit of the transaction. */
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { requireOneAsn } from '../switch-port-settings/asns.ts'
import './table.ts'

type Port = Row<'switch_port'>

/** Records with settings whether a port has them. */
async function noteUse(db: Db, settingsId: string): Promise<void> {
  const port = await db
    .selectFrom('switch_port')
    .select('id')
    .where('port_settings_id', '=', settingsId)
    .limit(1)
    .executeTakeFirst()
  await changeRow(db, 'switch_port_settings', settingsId, { use: port ? 'applied' : 'unused' })
}

/**
 * Applies other settings to a port, or none. Settings that are already applied are left alone, and
 * so are the sessions of their peers.
 * @throws ApiError 409 if other ports of the switch have peers of another ASN
 */
export async function setSettings(
  { db, now, emit }: Writing,
  port: Port,
  settings: Pick<Row<'switch_port_settings'>, 'id'> | undefined,
): Promise<void> {
  const former = port.port_settings_id
  const port_settings_id = settings?.id ?? null
  if (port_settings_id === former) return
  await changeRow(db, 'switch_port', port.id, {
    port_settings_id,
    time_applied: settings ? now.toISOString() : null,
  })
  await requireOneAsn(db, port)
  for (const id of [former, port_settings_id]) if (id !== null) await noteUse(db, id)
  await emit('switch_port', 'update', port)
}
