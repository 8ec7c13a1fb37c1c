import type { Db } from '../../../kernel/db/database.ts'

/** Forgets the clone that made a deleted instance, unless its snapshots are still to be deleted. */
export async function dropClone(db: Db, instanceId: string): Promise<void> {
  const ended = db
    .selectFrom('instance_clone')
    .select('id')
    .where('instance_id', '=', instanceId)
    .where('state', '<>', 'copying')
  await db.deleteFrom('instance_clone_disk').where('clone_id', 'in', ended).execute()
  await db
    .deleteFrom('instance_clone')
    .where('instance_id', '=', instanceId)
    .where('state', '<>', 'copying')
    .execute()
}
