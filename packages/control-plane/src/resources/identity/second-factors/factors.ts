/** The second factors of a user, and the requirement of the silo. */
import type { Wire } from '@steading/api'
import type { SecondFactorPolicy } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Selectable } from 'kysely'
import { countRows } from '../../../kernel/db/rows.ts'
import type { PasskeyTable, TotpTable } from './table.ts'

export type Passkey = Selectable<PasskeyTable>
type Method = Wire.SecondFactorMethod

export const policyOf = async (db: Db, siloId: string): Promise<SecondFactorPolicy> =>
  (
    await db
      .selectFrom('sign_in_policy')
      .select('second_factor')
      .where('silo_id', '=', siloId)
      .executeTakeFirst()
  )?.second_factor ?? 'optional'

export interface Factors {
  policy: SecondFactorPolicy
  totp: Pick<TotpTable, 'time_created'> | undefined
  /** The oldest first. */
  passkeys: Passkey[]
  recoveryCodes: number
}

export async function factorsOf(db: Db, siloId: string, userId: string): Promise<Factors> {
  const count = await countRows(db.selectFrom('recovery_code').where('user_id', '=', userId))
  return {
    policy: await policyOf(db, siloId),
    totp: await db
      .selectFrom('totp')
      .select('time_created')
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    passkeys: await db
      .selectFrom('passkey')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('time_created')
      .orderBy('id')
      .execute(),
    recoveryCodes: count,
  }
}

/**
 * Factors with which a user may sign in after the password. One-time passwords do not meet a policy
 * of passkeys, except of a user who has no passkey yet and so has to set one up afterwards.
 */
export function methodsOf({ policy, totp, passkeys, recoveryCodes }: Factors): Method[] {
  const methods: Method[] = []
  if (passkeys.length > 0) methods.push('passkey')
  if (totp && (policy !== 'passkey' || passkeys.length === 0)) methods.push('totp')
  if (methods.length > 0 && recoveryCodes > 0) methods.push('recovery_code')
  return methods
}

/** Factors of which a user has to set one up before the silo lets the user in. */
export function setupOf({ policy, totp, passkeys }: Factors): Wire.SecondFactorKind[] {
  if (policy === 'optional' || passkeys.length > 0) return []
  if (policy === 'passkey') return ['passkey']
  return totp ? [] : ['totp', 'passkey']
}
