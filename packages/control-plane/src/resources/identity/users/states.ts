/** Whether users can sign in. */
import type { UserState } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../../kernel/kinds.ts'

type Silo = Pick<Row<'silo'>, 'identity_mode'>

/** @param invited whether the user has a link for a password */
export function stateOf(
  { time_deactivated, password_hash }: Row<'silo_user'>,
  { identity_mode }: Silo,
  invited: boolean,
): UserState {
  if (time_deactivated !== null) return 'deactivated'
  if (identity_mode !== 'local_only' || password_hash !== null) return 'active'
  return invited ? 'invited' : 'no_sign_in'
}

const hasLink = sql`exists (
  select 1 from user_link where user_link.user_id = its.id and user_link.purpose <> 'address')`
const isActive = sql`its.time_deactivated is null`
const never = sql<boolean>`1 = 0`

/** A condition for users called `its` who are in one of some states. */
export function matchesStates(words: string, { identity_mode }: Silo): RawBuilder<boolean> {
  const isLocal = identity_mode === 'local_only'
  const waits = sql`${isActive} and its.password_hash is null`
  const conditions: Record<UserState, RawBuilder<unknown>> = {
    active: isLocal ? sql`(${isActive} and its.password_hash is not null)` : isActive,
    invited: isLocal ? sql`(${waits} and ${hasLink})` : never,
    no_sign_in: isLocal ? sql`(${waits} and not ${hasLink})` : never,
    deactivated: sql`its.time_deactivated is not null`,
  }
  const wanted = words.split(',') as UserState[]
  return sql<boolean>`(${sql.join(
    wanted.map((word) => conditions[word]),
    sql` or `,
  )})`
}
