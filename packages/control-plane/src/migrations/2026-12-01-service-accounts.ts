import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { identity, index, live, table } from './build.ts'

/** Users without a person. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { ...identity, silo_id: 'text', project_id: 'text?', time_deleted: 'text?' }
  await table(db, dialect, 'service_account', columns, ['id'])
  await index(db, 'service_account_project_name', 'service_account', ['project_id', 'name'], {
    unique: true,
    where: `${live} and project_id is not null`,
  })
  await index(db, 'service_account_silo_name', 'service_account', ['silo_id', 'name'], {
    unique: true,
    where: `${live} and project_id is null`,
  })
  await index(db, 'service_account_deleted', 'service_account', ['time_deleted'], {
    where: 'time_deleted is not null',
  })
  await db.schema
    .alterTable('silo_user')
    .addColumn('is_service', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
