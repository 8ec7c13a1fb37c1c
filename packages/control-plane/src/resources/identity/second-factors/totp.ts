/** One-time passwords (RFC 6238) and recovery codes. */
import {
  normalRecoveryCode,
  normalTotp,
  RECOVERY_CODE_LENGTH,
  RECOVERY_CODES,
  secondFactorMessages as messages,
  TOTP_DIGITS,
  TOTP_PERIOD_S,
  TOTP_SECRET_BYTES,
  TOTP_WINDOW,
} from '@steading/api/rules'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { digest } from '../../../kernel/secrets.ts'

const ISSUER = 'Steading'

const generatorOf = (secret: string, label = '') =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    digits: TOTP_DIGITS,
    period: TOTP_PERIOD_S,
  })

/** A new secret, and its URI for a QR code. @param label of the user, in the app */
export function newTotp(label: string): { secret: string; uri: string } {
  const secret = new Secret({ size: TOTP_SECRET_BYTES }).base32
  return { secret, uri: generatorOf(secret, label).toString() }
}

/** The period of a one-time password; undefined if it belongs to none near the present. */
function periodOf(secret: string, code: string, now: Date): number | undefined {
  const token = normalTotp(code)
  if (!/^\d+$/.test(token) || token.length !== TOTP_DIGITS) return undefined
  const timestamp = now.getTime()
  // Compares in constant time.
  const delta = generatorOf(secret).validate({ token, timestamp, window: TOTP_WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / TOTP_PERIOD_S) + delta
}

/**
 * Stores a secret in place of an earlier one, if a one-time password proves that the app has it.
 * @throws ApiError 400
 */
export async function setTotp(
  db: Db,
  userId: string,
  { secret, code }: { secret: string; code: string },
  now: Date,
): Promise<void> {
  // 20 bytes in base32.
  if (!/^[A-Z2-7]{32}$/.test(secret)) throw fail.invalidValue('secret', messages.badSecret)
  const last_period = periodOf(secret, code, now)
  if (last_period === undefined) throw fail.invalidValue('code', messages.wrongCode)
  const values = { secret, last_period, time_created: now.toISOString() }
  await db
    .insertInto('totp')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Uses a one-time password. @returns whether it is valid, and used for the first time */
export async function spendTotp(db: Db, userId: string, code: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('totp')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const period = row && periodOf(row.secret, code, now)
  if (period === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ last_period: period })
    .where('user_id', '=', userId)
    .where('secret', '=', row!.secret)
    // Each password is used once, also if another server checks it at the same time.
    .where('last_period', '<', period)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const digestOf = (userId: string, code: string) =>
  digest(`recovery code ${userId} ${normalRecoveryCode(code)}`)

/** Without easily confused characters. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

const newCode = () =>
  [...crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_LENGTH))]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('')

/** Replaces the recovery codes of a user, which are stored as digests. @returns the new ones */
export async function newRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  const rows = []
  for (const code of codes) rows.push({ user_id: userId, digest: await digestOf(userId, code) })
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await db.insertInto('recovery_code').values(rows).execute()
  return codes
}

/** Uses a recovery code. @returns whether the user had it */
export async function spendRecoveryCode(db: Db, userId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('digest', '=', await digestOf(userId, code))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
