/** Access tokens: reading them from requests, finding and revoking them. */
import { ACCESS_TOKEN_PREFIX } from '@steading/api/rules'
import { loadUser } from '../../../kernel/authz/actor.ts'
import type { Db, Ids } from '../../../kernel/db/database.ts'
import type { KnownCaller, UserCaller } from '../../../kernel/authz/caller.ts'
import type { Outages } from '../../../kernel/outages.ts'
import { digest } from '../../../kernel/secrets.ts'
import type { Writing } from '../../../kernel/work.ts'
import { bearerTokens } from '../../../kernel/bearer.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { actorOfToken } from './mandate.ts'

/** The last use of a token is stored at most this often. */
const LAST_USED_PRECISION_MS = 60_000

const tokens = bearerTokens(ACCESS_TOKEN_PREFIX)

export const presentedToken = tokens.presented

/**
 * The token that a device gets for its code. It derives from the code, which only the device knows,
 * so that the device can fetch it again although only digests are stored.
 */
export const tokenOfDevice = async (deviceCode: string): Promise<string> =>
  tokens.make(await digest(`access token ${deviceCode}`))

/** The secret of a new token without a device. */
export const newToken = (): string => tokens.make()

/** The use of a token by a call. */
interface Use {
  counts: boolean
  clientAddress?: string
  outages: Pick<Outages, 'recognize'>
}

/**
 * Stores the use of a token, if the stored one is old enough. A use that cannot be stored, for
 * example on a full disk, is dropped: it must not keep the token from being used.
 */
async function storeUse(
  db: Db,
  { id, time_last_used }: { id: string; time_last_used: string | null },
  now: Date,
  { counts, clientAddress, outages }: Use,
): Promise<void> {
  if (!counts) return
  const since = time_last_used === null ? Infinity : now.getTime() - Date.parse(time_last_used)
  // The clock may have been set back.
  if (since >= 0 && since < LAST_USED_PRECISION_MS) return
  try {
    await changeRow(db, 'access_token', id, {
      time_last_used: now.toISOString(),
      last_used_address: clientAddress || null,
    })
  } catch (error) {
    if (!outages.recognize(error)) throw error
  }
}

/** The caller with an access token; undefined if it is unknown, malformed or expired. */
export async function readAccessToken(
  db: Db,
  token: string,
  now: Date,
  use: Use,
): Promise<KnownCaller<UserCaller> | undefined> {
  if (!tokens.isToken(token)) return undefined
  const found = await db
    .selectFrom('access_token')
    .select(['id', 'user_id', 'time_expires', 'access', 'projects', 'time_last_used'])
    .where('token_hash', '=', await digest(token))
    .executeTakeFirst()
  if (!found) return undefined
  const expires = found.time_expires === null ? null : new Date(found.time_expires)
  const leftMs = expires ? expires.getTime() - now.getTime() : Infinity
  if (leftMs <= 0) return undefined
  const user = await loadUser(db, found.user_id)
  if (!user) return undefined
  await storeUse(db, found, now, use)
  return {
    actor: actorOfToken(user, found),
    credential: { method: 'access_token', id: found.id, expires },
    leftMs,
  }
}

/**
 * Revokes all tokens of the given users. Their event streams end when they receive the events of
 * this.
 */
export async function revokeTokens({ db, emit }: Writing, users: Ids): Promise<void> {
  const revoked = await db
    .deleteFrom('access_token')
    .where('user_id', 'in', users)
    .returning(['id', 'user_id', 'name'])
    .execute()
  for (const { id, user_id, name } of revoked) {
    await emit('access_token', 'delete', { id, name, user_id })
  }
}
