/**
 * The rights of what acts later for a caller, such as a schedule: those of its user at that time. If
 * the caller had an access token with less than these rights, the limits of the token apply to it as
 * well, and it ends with the token.
 */
import { limitsOf } from '@steading/api/rules'
import { type Actor, limitActor, loadUser } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { tokenProjects } from './table.ts'

/** The user and the token that a row acts for; the token is null for all rights of the user. */
export interface Mandate {
  userId: string
  tokenId: string | null
}

export const mandateOf = ({ userId, tokenId }: Actor): Mandate => ({
  userId,
  tokenId: tokenId ?? null,
})

/** A user with the limits of one of their tokens. */
export function actorOfToken(
  user: Actor,
  { id, access, projects }: Pick<Row<'access_token'>, 'id' | 'access' | 'projects'>,
): Actor {
  const limits = limitsOf(access, projects === null ? null : tokenProjects.read(projects))
  return limits ? { ...limitActor(user, limits), tokenId: id } : user
}

/**
 * The caller that a row acts for, with the present rights; undefined if the user was deleted or
 * deactivated, or the token has ended.
 */
export async function loadMandate(
  db: Db,
  { userId, tokenId }: Mandate,
  now: Date,
): Promise<Actor | undefined> {
  const user = await loadUser(db, userId)
  if (!user || tokenId === null) return user
  const token = await db
    .selectFrom('access_token')
    .select(['id', 'access', 'projects'])
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([eb('time_expires', 'is', null), eb('time_expires', '>', now.toISOString())]),
    )
    .executeTakeFirst()
  return token && actorOfToken(user, token)
}
