import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup, lookupOwn } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { createToken } from './create.ts'
import { projectsOfToken } from './projects.ts'
import { pageOfTokens, tokensOf, toWireToken, toWireTokenDetails } from './kind.ts'

export const accessTokenHandlers: Handlers<typeof tables.accessTokenOperations> = {
  current_user_access_token_list: async (ctx) =>
    listPage(ctx.page, tokensOf(ctx, ctx.actor.userId), { id: 'its.id' }, toWireToken),

  async current_user_access_token_delete(ctx) {
    const { id, name, user_id } = await lookupOwn(ctx, 'access_token', ctx.params.token_id)
    await ctx.db.deleteFrom('access_token').where('id', '=', id).execute()
    await ctx.emit('access_token', 'delete', { id, name, user_id })
  },

  async user_token_list(ctx) {
    const { id: userId, silo_id: siloId } = await lookup(ctx, 'silo_user', ctx.params.user_id)
    authorize(ctx, 'access_token', { siloId, userId })
    return listPage(ctx.page, tokensOf(ctx, userId), { id: 'its.id' }, toWireToken)
  },

  current_user_access_token_details_list: async (ctx) =>
    pageOfTokens(ctx, ctx.page, ctx.actor.userId),

  async current_user_access_token_create(ctx) {
    const { userId: id, siloId: silo_id } = ctx.actor
    const projects = await projectsOfToken(ctx, ctx.body.projects)
    const { row, token } = await createToken(ctx, {
      user: { id, silo_id },
      body: ctx.body,
      projects,
      credential: ctx.http.credential!,
      clientAddress: ctx.http.clientAddress,
    })
    const [details] = await toWireTokenDetails(ctx.db, [row])
    return { ...details!, token }
  },
}
