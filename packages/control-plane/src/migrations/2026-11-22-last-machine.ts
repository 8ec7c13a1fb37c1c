import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index } from './build.ts'

/** Adds the machine that an instance ran as before, whose serial console is kept. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('instance')
    .addColumn('last_vm_id', sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text'))
    .execute()
  await index(db, 'instance_last_vm', 'instance', ['last_vm_id'], {
    where: 'last_vm_id is not null',
  })
}
