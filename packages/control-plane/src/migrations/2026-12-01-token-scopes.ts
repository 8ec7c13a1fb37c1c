import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, textType } from './build.ts'

/** Names, rights and uses of access tokens, and the rights of jobs that they begin. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = textType(dialect)
  await db.schema.alterTable('access_token').addColumn('name', text).execute()
  const columns = ['projects', 'created_address', 'time_last_used', 'last_used_address']
  for (const column of columns) {
    await db.schema.alterTable('access_token').addColumn(column, 'text').execute()
  }
  await db.schema
    .alterTable('access_token')
    .addColumn('access', 'text', (column) => column.notNull().defaultTo('full'))
    .execute()
  await index(db, 'access_token_name', 'access_token', ['user_id', 'name'], {
    unique: true,
    where: 'name is not null',
  })
  await index(db, 'access_token_created', 'access_token', ['user_id', 'time_created', 'id'])
  for (const column of ['token_id', 'limits']) {
    await db.schema.alterTable('job').addColumn(column, 'text').execute()
  }
}
