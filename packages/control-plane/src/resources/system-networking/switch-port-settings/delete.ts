import { PORT_SETTINGS_IN_USE } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { releaseAddresses } from '../address-lots/reserve.ts'
import './table.ts'

/** @throws ApiError 400 while they are applied to a port */
export async function deleteSettings(
  { db, now, emit }: Writing,
  settings: Row<'switch_port_settings'>,
): Promise<void> {
  if (settings.use === 'applied') throw fail.invalidRequest(PORT_SETTINGS_IN_USE)
  await db.deleteFrom('bgp_peer').where('port_settings_id', '=', settings.id).execute()
  await releaseAddresses(db, 'switch_port_settings', settings.id)
  await changeRow(db, 'switch_port_settings', settings.id, { time_deleted: now.toISOString() })
  await emit('switch_port_settings', 'delete', settings)
}
