import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(db, dialect, 'scim_user', { user_id: 'text', profile: 'text' }, ['user_id'])
  for (const named of ['silo_user', 'silo_group']) {
    await index(db, `${named}_provider`, named, ['silo_id', 'provider_key'], {
      where: `${live} and provider_key is not null`,
    })
  }
}
