import type { Db } from '../../../kernel/db/database.ts'
import { writingIn } from '../../../kernel/work.ts'

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
  await db
    .updateTable('rack')
    .set({ reconcile_at: now.toISOString() })
    .where('id', '=', noted.rack_id)
    .execute()
  await writingIn(db, now).emit('sled', 'update', noted)
}
