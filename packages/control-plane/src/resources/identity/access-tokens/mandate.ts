/**
 * The rights of rows that act later for a caller, such as schedules: those of the user at that time.
 * If the caller had an access token with fewer rights, the limits of the token apply as well, and the
 * row ends with the token.
 */
import { limitsOf } from '@steading/api/rules'
import { type Actor, limitActor, loadUser } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { tokenProjects } from './kind.ts'

/** The columns of a row that acts for a user; the token is null for all rights of the user. */
export interface Mandate {
  user_id: string
  token_id: string | null
}

export const mandateOf = ({ userId: user_id, tokenId }: Actor): Mandate => ({
  user_id,
  token_id: tokenId ?? null,
})

/** The same columns of a row that other users may read, and so does not belong to its user. */
export interface Authored {
  author_id: string
  token_id: string | null
}

export const authoredBy = (actor: Actor): Authored => {
  const { user_id: author_id, token_id } = mandateOf(actor)
  return { author_id, token_id }
}

export const mandateOfAuthor = ({ author_id: user_id, token_id }: Authored): Mandate => ({
  user_id,
  token_id,
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
  { user_id, token_id }: Mandate,
  now: Date,
): Promise<Actor | undefined> {
  const user = await loadUser(db, user_id)
  if (!user || token_id === null) return user
  const token = await db
    .selectFrom('access_token')
    .select(['id', 'access', 'projects'])
    .where('id', '=', token_id)
    .where('user_id', '=', user_id)
    .where((eb) =>
      eb.or([eb('time_expires', 'is', null), eb('time_expires', '>', now.toISOString())]),
    )
    .executeTakeFirst()
  return token && actorOfToken(user, token)
}
