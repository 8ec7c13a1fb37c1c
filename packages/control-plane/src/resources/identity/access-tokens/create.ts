import type { Wire } from '@steading/api'
import { NAMED_TOKENS_MAX, tokenMessages } from '@steading/api/rules'
import type { Credential } from '../../../kernel/authz/caller.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { digest } from '../../../kernel/secrets.ts'
import type { Writing } from '../../../kernel/work.ts'
import { countRows, readRow } from '../../../kernel/db/rows.ts'
import { expiryOf } from '../device-auth/expiry.ts'
import { tokenProjects } from './kind.ts'
import { newToken } from './tokens.ts'

/** A token to create. */
export interface TokenToCreate {
  user: Pick<Row<'silo_user'>, 'id' | 'silo_id'>
  body: Pick<Wire.AccessTokenCreate, 'name' | 'access' | 'ttl_seconds'>
  /** Ids of the only projects in which it has rights; null for all. */
  projects: string[] | null
  /** The credential of the caller: a token cannot create one that outlives it. */
  credential: Credential
  /** The caller's address; empty if unknown. */
  clientAddress: string
}

/**
 * Creates a token with a name.
 * @returns its row and its secret, which is stored as a digest only
 * @throws ApiError 400 for a taken name, too many tokens, or a lifetime over the silo's limit
 */
export async function createToken(
  { db, now, emit }: Writing,
  { user, body, projects, credential, clientAddress }: TokenToCreate,
): Promise<{ row: Row<'access_token'>; token: string }> {
  const { device_token_max_ttl_seconds: max } = await readRow(
    db,
    'silo',
    user.silo_id,
    'device_token_max_ttl_seconds',
  )
  const expires = expiryOf(body.ttl_seconds ?? null, max, credential, now)
  const time = now.toISOString()
  // An expired token keeps its name until it is purged.
  await db
    .deleteFrom('access_token')
    .where('user_id', '=', user.id)
    .where('time_expires', '<=', time)
    .execute()
  const count = await countRows(
    db.selectFrom('access_token').where('user_id', '=', user.id).where('name', 'is not', null),
  )
  if (count >= NAMED_TOKENS_MAX) throw fail.invalidRequest(tokenMessages.tooMany)
  const token = newToken()
  const id = crypto.randomUUID()
  const row: Row<'access_token'> = {
    id,
    token_hash: await digest(token),
    device_code_hash: `none: ${id}`,
    client_id: '',
    user_id: user.id,
    time_created: time,
    time_expires: expires?.toISOString() ?? null,
    name: body.name,
    access: body.access,
    projects: projects === null ? null : tokenProjects.write(projects),
    created_address: clientAddress || null,
    time_last_used: null,
    last_used_address: null,
  }
  await db.insertInto('access_token').values(row).execute()
  await emit('access_token', 'create', { id, name: row.name, user_id: user.id })
  return { row, token }
}
