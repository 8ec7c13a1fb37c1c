import type { tables, Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup, lookupOwn } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'

const toWire = (row: Row<'access_token'>): Wire.DeviceAccessToken => ({
  id: row.id,
  time_created: row.time_created,
  time_expires: row.time_expires,
})

/** The unexpired tokens of a user. */
const tokensOf = ({ db, now }: Pick<Work, 'db' | 'now'>, userId: string) =>
  rowsOf(db, 'access_token')
    .selectAll()
    .where('its.user_id', '=', userId)
    .where((eb) =>
      eb.or([eb('its.time_expires', 'is', null), eb('its.time_expires', '>', now.toISOString())]),
    )

export const accessTokenHandlers: Handlers<typeof tables.accessTokenOperations> = {
  async current_user_access_token_list(ctx) {
    return listPage(ctx.page, tokensOf(ctx, ctx.actor.userId), { id: 'its.id' }, toWire)
  },

  async current_user_access_token_delete(ctx) {
    const { id, user_id } = await lookupOwn(ctx, 'access_token', ctx.params.token_id)
    await ctx.db.deleteFrom('access_token').where('id', '=', id).execute()
    await ctx.emit('access_token', 'delete', { id, name: '', user_id })
  },

  async user_token_list(ctx) {
    const { id: userId, silo_id: siloId } = await lookup(ctx, 'silo_user', ctx.params.user_id)
    authorize(ctx, 'access_token', { siloId, userId })
    return listPage(ctx.page, tokensOf(ctx, userId), { id: 'its.id' }, toWire)
  },
}
