import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciled, reconciledIndexes, table } from './build.ts'

/** Mail addresses of users, links for invitations and forgotten passwords, and requests for them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const partOf = { user_id: 'silo_user' }
  const mail = {
    user_id: 'text',
    address: 'text',
    time_confirmed: 'text?',
    forgotten_mails: 'int',
    forgotten_mails_day: 'text',
  }
  await table(db, dialect, 'user_mail', mail, ['user_id'], partOf)

  const link = {
    id: 'text',
    user_id: 'text',
    purpose: 'text',
    token_hash: 'text?',
    address: 'text?',
    time_expires: 'text',
    time_sent: 'text?',
    attempts: 'int',
    problem: 'text?',
    time_failed: 'text?',
    time_next_attempt: 'text?',
    time_created: 'text',
    ...reconciled,
  }
  await table(db, dialect, 'user_link', link, ['id'], partOf)
  await index(db, 'user_link_token', 'user_link', ['token_hash'], {
    unique: true,
    where: 'token_hash is not null',
  })
  // A user has one link for a password, and one that confirms an address.
  await index(db, 'user_link_password', 'user_link', ['user_id'], {
    unique: true,
    where: "purpose <> 'address'",
  })
  await index(db, 'user_link_address', 'user_link', ['user_id'], {
    unique: true,
    where: "purpose = 'address'",
  })
  await index(db, 'user_link_expires', 'user_link', ['time_expires'])
  await reconciledIndexes(db, 'user_link')

  const request = { id: 'text', silo_id: 'text', user_name: 'text', time_created: 'text' }
  await table(db, dialect, 'password_request', { ...request, ...reconciled }, ['id'], {
    silo_id: 'silo',
  })
  await reconciledIndexes(db, 'password_request')
}
