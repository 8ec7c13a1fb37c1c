import type { Kysely } from 'kysely'
import { PAUSED } from '../resources/compute/instances/issues.ts'
import { index } from './build.ts'

/** Pauses of machines, for which instances wait until their disks can be written again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['pause', 'time_paused']) {
    await db.schema.alterTable('instance').addColumn(column, 'text').execute()
  }
  await index(db, 'instance_paused', 'instance', ['time_paused'], { where: PAUSED })
}
