/** Mail addresses of users. */
import { FORGOTTEN_MAILS_A_DAY, mailAddressProblem } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { userChanged } from '../users/create.ts'
import { createLink } from './links.ts'
import type { UserMailTable } from './table.ts'

type UserMailRow = Selectable<UserMailTable>

/** @throws ApiError 400 for a text that is no address */
export function requireMailAddress(address: string): void {
  const problem = mailAddressProblem(address)
  if (problem) throw fail.invalidValue('mail_address', problem)
}

export const mailOf = (db: Db, userId: string): Promise<UserMailRow | undefined> =>
  db.selectFrom('user_mail').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Stores an address. The present one stays confirmed; another one is not, and its link ends. */
export async function storeAddress(db: Db, userId: string, address: string): Promise<void> {
  const before = await mailOf(db, userId)
  if (before?.address === address) return
  await endAddressLink(db, userId)
  const values = { address, time_confirmed: null }
  await db
    .insertInto('user_mail')
    .values({ user_id: userId, ...values, forgotten_mails: 0, forgotten_mails_day: '' })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

const endAddressLink = (db: Db, userId: string) =>
  db
    .deleteFrom('user_link')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'address')
    .execute()

/**
 * Sets the address of a user, or removes it.
 * @param asks whether a mail asks the user to confirm an address that is not confirmed yet; the
 *   caller then wakes the reconciler after the commit
 */
export async function setAddress(
  writing: Writing,
  user: Row<'silo_user'>,
  address: string | null,
  asks: boolean,
): Promise<void> {
  const { db } = writing
  if (address === null) {
    await endAddressLink(db, user.id)
    await db.deleteFrom('user_mail').where('user_id', '=', user.id).execute()
    await userChanged(writing, user, 'update')
    return
  }
  await storeAddress(db, user.id, address)
  const { time_confirmed } = (await mailOf(db, user.id))!
  if (asks && time_confirmed === null)
    await createLink(writing, user, { purpose: 'address', address })
  else await userChanged(writing, user, 'update')
}

/** Confirms the address to which a link was sent, if it is still that of the user. */
export async function confirmAddress(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  userId: string,
  address: string,
): Promise<void> {
  await db
    .updateTable('user_mail')
    .set({ time_confirmed: now.toISOString() })
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .where('time_confirmed', 'is', null)
    .execute()
}

/**
 * The confirmed address to which a mail about a forgotten password may be sent, which is counted.
 * @returns undefined if there is none, or the user has had enough mails on this day
 */
export async function addressForForgotten(
  db: Db,
  userId: string,
  now: Date,
): Promise<string | undefined> {
  const mail = await mailOf(db, userId)
  if (!mail || mail.time_confirmed === null) return undefined
  const day = now.toISOString().slice(0, 10)
  const before = mail.forgotten_mails_day === day ? Number(mail.forgotten_mails) : 0
  if (before >= FORGOTTEN_MAILS_A_DAY) return undefined
  await db
    .updateTable('user_mail')
    .set({ forgotten_mails: before + 1, forgotten_mails_day: day })
    .where('user_id', '=', userId)
    .execute()
  return mail.address
}
