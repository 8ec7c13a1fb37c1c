import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciled, reconciledIndexes, table } from './build.ts'

/** Moves of instances, and the maintenance of sleds. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const move = {
    id: 'text',
    instance_id: 'text',
    from_sled_id: 'text',
    to_sled_id: 'text',
    cause: 'text',
    maintenance_id: 'text?',
    user_name: 'text?',
    state: 'text',
    reason: 'text?',
    time_started: 'text',
    time_finished: 'text?',
  }
  await table(db, dialect, 'instance_move', move, ['id'])
  for (const column of ['instance_id', 'from_sled_id', 'to_sled_id']) {
    const columns = [column, 'time_started', 'id']
    await index(db, `instance_move_by_${column}`, 'instance_move', columns)
  }
  await index(db, 'instance_move_maintenance', 'instance_move', ['maintenance_id', 'state'], {
    where: 'maintenance_id is not null',
  })

  const maintenance = {
    id: 'text',
    sled_id: 'text',
    reason: 'text',
    time_end: 'text?',
    unmovable: 'text',
    paused: 'int',
    policy_before: 'text',
    user_id: 'text',
    user_name: 'text',
    user_silo_id: 'text',
    time_begun: 'text',
    ...reconciled,
  }
  await table(db, dialect, 'sled_maintenance', maintenance, ['id'])
  // A sled has one at a time, whichever server began it.
  await index(db, 'sled_maintenance_sled', 'sled_maintenance', ['sled_id'], { unique: true })
  await reconciledIndexes(db, 'sled_maintenance')
  const instance = {
    maintenance_id: 'text',
    instance_id: 'text',
    state: 'text',
    reason: 'text?',
  }
  await table(db, dialect, 'sled_maintenance_instance', instance, ['maintenance_id', 'instance_id'])
  await index(db, 'sled_maintenance_instance_of', 'sled_maintenance_instance', ['instance_id'])
}
