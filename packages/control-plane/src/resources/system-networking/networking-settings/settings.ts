/** Settings by operators for all networks of the fleet; kept among the settings of the database. */
import type { Db } from '../../../kernel/db/database.ts'
import { readSetting, writeSetting } from '../../../kernel/db/setting.ts'

const defaults = {
  /** Whether services of the rack answer ICMP from outside. */
  inbound_icmp: true,
  /** Whether instances may have jumbo frames. */
  external_jumbo_frames: false,
}
type Setting = keyof typeof defaults

export async function isEnabled(db: Db, key: Setting): Promise<boolean> {
  const value = await readSetting(db, key)
  return value === undefined ? defaults[key] : value === 'true'
}

export const setEnabled = (db: Db, key: Setting, enabled: boolean): Promise<void> =>
  writeSetting(db, key, String(enabled))
