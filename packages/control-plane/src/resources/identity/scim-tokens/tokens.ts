/** SCIM tokens: reading them from requests, and finding their silo. */
import { SCIM_TOKEN_PREFIX } from '@steading/api/rules'
import type { KnownCaller, ScimCaller } from '../../../kernel/authz/caller.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { digest } from '../../../kernel/secrets.ts'
import { bearerTokens } from '../../../kernel/bearer.ts'

const tokens = bearerTokens(SCIM_TOKEN_PREFIX)

export const presentedScimToken = tokens.presented
export const newScimToken = (): string => tokens.make()

/**
 * The identity provider with a SCIM token; undefined if the token is unknown or malformed, or its
 * silo does not use SCIM for its users.
 */
export async function readScimToken(
  db: Db,
  token: string,
): Promise<KnownCaller<ScimCaller> | undefined> {
  if (!tokens.isToken(token)) return undefined
  const found = await db
    .selectFrom('scim_token as token')
    .innerJoin('silo', 'silo.id', 'token.silo_id')
    .select(['token.id', 'token.silo_id'])
    .where('token.token_hash', '=', await digest(token))
    .where('silo.identity_mode', '=', 'saml_scim')
    .where('silo.time_deleted', 'is', null)
    .executeTakeFirst()
  return (
    found && {
      scim: { siloId: found.silo_id },
      credential: { method: 'scim_token', id: found.id, expires: null },
      leftMs: Infinity,
    }
  )
}
