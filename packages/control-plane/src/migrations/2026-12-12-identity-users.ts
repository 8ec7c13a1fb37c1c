import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live, table } from './build.ts'

interface Provider {
  id: string
  path: string
  silo_id: string
  time_created: string
}

/** The live providers, with the path of their sign-in. */
async function providers(db: Kysely<unknown>): Promise<Provider[]> {
  const of = async (type: 'saml' | 'oidc') => {
    const { rows } = await sql<Provider>`
      select its.id, '/login/' || silo.name || ${`/${type}/`} || its.name as path,
        its.silo_id, its.time_created
      from ${sql.table(`${type}_identity_provider`)} as its
      inner join silo on silo.id = its.silo_id
      where its.time_deleted is null and silo.time_deleted is null`.execute(db)
    return rows
  }
  return [...(await of('saml')), ...(await of('oidc'))]
}

/** True of a user who has signed in through a provider, as far as the audit log goes back. */
const signedIn = ({ path, time_created }: Provider) => sql<boolean>`exists (
  select 1 from audit_log as entry
  where (entry.actor_id = its.id or entry.target_id = its.id)
    and entry.operation_id in ('login_saml', 'login_oidc') and entry.result = 'success'
    and entry.time_completed >= ${time_created}
    and (entry.request_uri = ${path} or entry.request_uri like ${`${path}?%`}
      or entry.request_uri like ${`${path}/%`}))`

/**
 * The identity providers of users. A user belongs to the only provider of the silo, or to the only
 * one through which the user has signed in; the others are linked by an administrator.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { provider_id: 'text', name: 'text', user_id: 'text', time_created: 'text' }
  await table(db, dialect, 'user_identity', columns, ['provider_id', 'name'])
  await index(db, 'user_identity_any_case', 'user_identity', ['provider_id', 'lower(name)'])
  await index(db, 'user_identity_user', 'user_identity', ['user_id'])
  await db.schema
    .alterTable('silo_user')
    .addColumn('is_provided', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`
    update silo_user set is_provided = 1
    where is_service = 0 and silo_id in (select id from silo where identity_mode = 'saml_jit')
  `.execute(db)
  await db.schema.dropIndex('silo_user_external').execute()
  await index(db, 'silo_user_external', 'silo_user', ['silo_id', 'external_id'], {
    unique: true,
    where: `${live} and is_provided = 0`,
  })
  await index(db, 'silo_user_named', 'silo_user', ['silo_id', 'external_id'], { where: live })
  const all = await providers(db)
  for (const provider of all) {
    const others = all.filter(
      ({ silo_id, id }) => silo_id === provider.silo_id && id !== provider.id,
    )
    const isCertain =
      others.length === 0
        ? sql<boolean>`1 = 1`
        : sql<boolean>`${signedIn(provider)} and not (${sql.join(others.map(signedIn), sql` or `)})`
    await sql`
      insert into user_identity (provider_id, name, user_id, time_created)
      select ${provider.id}, its.external_id, its.id, its.time_created
      from silo_user as its
      where its.silo_id = ${provider.silo_id} and its.time_deleted is null and its.is_service = 0
        and ${isCertain}`.execute(db)
  }
}
