/** The second factors of many users. */
import type { Wire } from '@steading/api'
import type { SecondFactorWord } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/** The factors of each of some users. */
export async function factorsOfUsers(
  db: Db,
  ids: readonly string[],
): Promise<(userId: string) => Wire.SecondFactorKind[]> {
  if (ids.length === 0) return () => []
  const usersWith = async (table: 'totp' | 'passkey') => {
    const rows = await db.selectFrom(table).select('user_id').where('user_id', 'in', ids).execute()
    return new Set(rows.map(({ user_id }) => user_id))
  }
  const sets = { totp: await usersWith('totp'), passkey: await usersWith('passkey') }
  return (id) => (['totp', 'passkey'] as const).filter((kind) => sets[kind].has(id))
}

const hasTotp = sql<boolean>`exists (select 1 from totp where totp.user_id = its.id)`
const hasPasskey = sql<boolean>`exists (select 1 from passkey where passkey.user_id = its.id)`
const signsInHere = sql<boolean>`its.password_hash is not null`

/** Conditions for a user called `its`, in a silo whose users have passwords here. */
const conditions: Record<SecondFactorWord, RawBuilder<boolean>> = {
  none: sql`(${signsInHere} and not ${hasTotp} and not ${hasPasskey})`,
  no_passkey: sql`(${signsInHere} and not ${hasPasskey})`,
  totp: hasTotp,
  passkey: hasPasskey,
}

/** A condition for users called `its` who match one of some words of the filter. */
export const matchesFactors = (words: string): RawBuilder<boolean> => {
  const wanted = words.split(',') as SecondFactorWord[]
  return sql`(${sql.join(
    wanted.map((word) => conditions[word]),
    sql` or `,
  )})`
}
