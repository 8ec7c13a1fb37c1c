import { Kysely } from 'kysely'
import type { DatabaseHost } from '../../../kernel/db/database.ts'
import type { Database } from '../../../kernel/db/schema.ts'
import type { PasswordHasher } from '../../../kernel/ports/passwords.ts'
import { generatePassword } from '@steading/api/rules'

/** The reason why a password cannot be reset. */
export type ResetProblem = 'no silo' | 'no user' | 'not local'

/**
 * Gives a user a new, generated password, removes their second factors, and ends their sessions,
 * access tokens and links. Works while servers run on the same database, which cache callers for a second. It runs no migrations, so the
 * database may be older than the columns written here.
 * @param silo name
 * @param user name
 * @returns the password, or the reason why there is none
 */
export async function resetPassword(
  host: DatabaseHost,
  passwords: PasswordHasher,
  { silo, user }: { silo: string; user: string },
  now: Date,
): Promise<{ password: string } | ResetProblem> {
  const db = new Kysely<Database>({ dialect: host.kysely })
  try {
    const found = await db
      .selectFrom('silo')
      .select(['id', 'identity_mode'])
      .where('name', '=', silo)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!found) return 'no silo'
    if (found.identity_mode !== 'local_only') return 'not local'
    const password = generatePassword()
    const password_hash = await passwords.hash(password)
    const tables = await db.introspection.getTables()
    const has = (table: keyof Database, column: string) =>
      tables.some(
        ({ name, columns }) => name === table && columns.some((other) => other.name === column),
      )
    const changed = await db
      .updateTable('silo_user')
      .set({
        password_hash,
        time_modified: now.toISOString(),
        ...(has('silo_user', 'password_generated') && { password_generated: 1 }),
        ...(has('silo_user', 'password_weak') && { password_weak: 0 }),
      })
      .where('silo_id', '=', found.id)
      .where('external_id', '=', user)
      .where('time_deleted', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!changed) return 'no user'
    // After the password has changed, so that no other session can be opened with the old one.
    await db.deleteFrom('console_session').where('user_id', '=', changed.id).execute()
    for (const table of ['totp', 'recovery_code', 'passkey', 'user_link'] as const) {
      if (!has(table, 'user_id')) continue
      await db.deleteFrom(table).where('user_id', '=', changed.id).execute()
    }
    if (has('access_token', 'user_id')) {
      await db.deleteFrom('access_token').where('user_id', '=', changed.id).execute()
    }
    return { password }
  } finally {
    await db.destroy()
  }
}
