/** Settings by operators for all networks of the fleet; kept among the settings of the database. */
import type { Db } from '../../../kernel/db/database.ts'

const defaults = {
  /** Whether services of the rack answer ICMP from outside. */
  inbound_icmp: true,
  /** Whether instances may have jumbo frames. */
  external_jumbo_frames: false,
}
type Setting = keyof typeof defaults

export async function isEnabled(db: Db, key: Setting): Promise<boolean> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row ? row.value === 'true' : defaults[key]
}

export async function setEnabled(db: Db, key: Setting, enabled: boolean): Promise<void> {
  const value = String(enabled)
  await db
    .insertInto('setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
