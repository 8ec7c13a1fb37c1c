import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../../kernel/db/database.ts'
import { index, live } from '../../../migrations/build.ts'

/** Adds the previous machine of an instance, whose serial console is kept. */
export async function lastMachine(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('instance')
    .addColumn('last_vm_id', sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text'))
    .execute()
  await index(db, 'instance_last_vm', 'instance', ['last_vm_id'], {
    where: 'last_vm_id is not null',
  })
}

/** Adds the reasons why an instance failed, and why it could not be restarted. */
export async function instanceFailure(db: Kysely<unknown>): Promise<void> {
  for (const column of ['failure', 'restart_problem']) {
    await db.schema.alterTable('instance').addColumn(column, 'text').execute()
  }
}

/** Condition for instances that are neither running nor stopped. */
export const UNSETTLED = "run_state not in ('running', 'stopped', 'destroyed')"

/** The index for these instances, which are few among many. */
export const unsettledIndex = (db: Kysely<unknown>): Promise<void> =>
  index(db, 'instance_unsettled', 'instance', ['time_run_state_updated'], {
    where: `${live} and ${UNSETTLED}`,
  })
