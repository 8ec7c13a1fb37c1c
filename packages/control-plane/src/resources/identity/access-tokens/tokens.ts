/** Access tokens: reading them from requests, finding and revoking them. */
import { ACCESS_TOKEN_PREFIX } from '@steading/api/rules'
import { loadUser } from '../../../kernel/authz/actor.ts'
import type { Db, Ids } from '../../../kernel/db/database.ts'
import type { KnownCaller, UserCaller } from '../../../kernel/authz/caller.ts'
import { digest } from '../../../kernel/secrets.ts'
import type { Writing } from '../../../kernel/work.ts'
import { bearerTokens } from '../../../kernel/bearer.ts'

const tokens = bearerTokens(ACCESS_TOKEN_PREFIX)

export const presentedToken = tokens.presented

/**
 * The token that a device gets for its code. It derives from the code, which only the device knows,
 * so that the device can fetch it again although only digests are stored.
 */
export const tokenOfDevice = async (deviceCode: string): Promise<string> =>
  tokens.make(await digest(`access token ${deviceCode}`))

/** The caller with an access token; undefined if it is unknown, malformed or expired. */
export async function readAccessToken(
  db: Db,
  token: string,
  now: Date,
): Promise<KnownCaller<UserCaller> | undefined> {
  if (!tokens.isToken(token)) return undefined
  const found = await db
    .selectFrom('access_token')
    .select(['id', 'user_id', 'time_expires'])
    .where('token_hash', '=', await digest(token))
    .executeTakeFirst()
  if (!found) return undefined
  const expires = found.time_expires === null ? null : new Date(found.time_expires)
  const leftMs = expires ? expires.getTime() - now.getTime() : Infinity
  if (leftMs <= 0) return undefined
  const actor = await loadUser(db, found.user_id)
  return (
    actor && {
      actor,
      credential: { method: 'access_token', id: found.id, expires },
      leftMs,
    }
  )
}

/**
 * Revokes all tokens of the given users. Their event streams end when they receive the events of
 * this.
 */
export async function revokeTokens({ db, emit }: Writing, users: Ids): Promise<void> {
  const revoked = await db
    .deleteFrom('access_token')
    .where('user_id', 'in', users)
    .returning(['id', 'user_id'])
    .execute()
  for (const { id, user_id } of revoked) {
    await emit('access_token', 'delete', { id, name: '', user_id })
  }
}
