import type { Db } from '../../../kernel/db/database.ts'
import { writingIn } from '../../../kernel/work.ts'
import { setFencingAlarm } from '../host-fencing/change.ts'
import { changeRow } from '../../../kernel/db/rows.ts'

/** Records that a sled does not respond, if no server has done so yet. */
export async function recordSledDown(db: Db, id: string, now: Date): Promise<void> {
  const noted = await db
    .updateTable('sled')
    .set({ responding: 0, time_modified: now.toISOString() })
    .where('id', '=', id)
    .where('responding', '=', 1)
    .returning(['id', 'name', 'rack_id'])
    .executeTakeFirst()
  if (!noted) return
  await changeRow(db, 'rack', noted.rack_id, { reconcile_at: now.toISOString() })
  await setFencingAlarm(db, now, noted.name)
  await writingIn(db, now).emit('sled', 'update', noted)
}
