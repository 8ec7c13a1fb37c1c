import type { tables, Wire } from '@steading/api'
import { kinds } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { digest } from '../../../kernel/secrets.ts'
import { newScimToken } from './tokens.ts'

const toWire = (row: Row<'scim_token'>): Wire.ScimClientBearerToken => ({
  id: row.id,
  time_created: row.time_created,
  time_expires: row.time_expires,
})

const changed = (
  { emit }: Pick<Context, 'emit'>,
  token: Row<'scim_token'>,
  action: 'create' | 'delete',
): Promise<void> => emit('scim_token', action, { ...token, name: '' })

/**
 * A token of the silo in the query.
 * @throws ApiError 404 or 403
 */
async function tokenOf(ctx: Context<'scim_token_view' | 'scim_token_delete'>) {
  const { id: siloId } = await lookup(ctx, 'silo', ctx.query.silo)
  const id = ctx.params.token_id
  const missing = () => fail.notFoundById(kinds.scim_token.type, id)
  authorize(ctx, 'scim_token', { siloId }, missing)
  const token = await rowsOf(ctx.db, 'scim_token')
    .selectAll()
    .where('its.id', '=', id)
    .where('its.silo_id', '=', siloId)
    .executeTakeFirst()
  if (!token) throw missing()
  return token
}

export const scimTokenHandlers: Handlers<typeof tables.scimTokenOperations> = {
  async scim_token_list(ctx) {
    const { id: siloId } = await lookup(ctx, 'silo', ctx.query.silo)
    authorize(ctx, 'scim_token', { siloId })
    const tokens = await rowsOf(ctx.db, 'scim_token')
      .selectAll()
      .where('its.silo_id', '=', siloId)
      .orderBy('its.time_created')
      .orderBy('its.id')
      .execute()
    return tokens.map(toWire)
  },

  async scim_token_create(ctx) {
    const { id: siloId } = await lookup(ctx, 'silo', ctx.query.silo)
    authorize(ctx, 'scim_token', { siloId })
    const bearer_token = newScimToken()
    const token = {
      id: crypto.randomUUID(),
      token_hash: await digest(bearer_token),
      silo_id: siloId,
      time_created: ctx.now.toISOString(),
      time_expires: null,
    }
    await ctx.db.insertInto('scim_token').values(token).execute()
    await changed(ctx, token, 'create')
    return { ...toWire(token), bearer_token }
  },

  scim_token_view: async (ctx) => toWire(await tokenOf(ctx)),

  async scim_token_delete(ctx) {
    const token = await tokenOf(ctx)
    await ctx.db.deleteFrom('scim_token').where('id', '=', token.id).execute()
    await changed(ctx, token, 'delete')
  },
}
