/** Access tokens: how a request presents one, how it is found, and how tokens are revoked. */
import { ACCESS_TOKEN_PREFIX } from '@steading/api/rules'
import { loadUser } from '../../kernel/authz/actor.ts'
import type { KnownCaller } from '../../kernel/authz/caller.ts'
import type { Db, Ids } from '../../kernel/db/database.ts'
import { digest } from '../../kernel/secrets.ts'
import type { Writing } from '../../kernel/work.ts'

/** Hexadecimal digits after the prefix. */
const DIGITS = 40
const bearer = new RegExp(`^bearer +(${ACCESS_TOKEN_PREFIX}.*)$`, 'i')
const valid = new RegExp(`^${ACCESS_TOKEN_PREFIX}[0-9a-f]{${DIGITS}}$`)

/** The access token that a request presents, valid or not. Other kinds of credentials do not count. */
export const presentedToken = ({ headers }: Request): string | undefined =>
  bearer.exec(headers.get('authorization') ?? '')?.[1]

/**
 * The token that a device gets for its code. It derives from the code, which only the device knows,
 * so that the device can fetch it again although only digests are stored.
 */
export const tokenOfDevice = async (deviceCode: string): Promise<string> =>
  ACCESS_TOKEN_PREFIX + (await digest(`access token ${deviceCode}`)).slice(0, DIGITS)

/** The caller with an access token; undefined if it is unknown, malformed or expired. */
export async function readAccessToken(
  db: Db,
  token: string,
  now: Date,
): Promise<KnownCaller | undefined> {
  if (!valid.test(token)) return undefined
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
 * Revokes all tokens of some users. Their streams of events end when they receive the events of
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
