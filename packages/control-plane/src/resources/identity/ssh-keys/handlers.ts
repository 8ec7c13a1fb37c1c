import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookupOwn } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { deleteSshKey } from './delete.ts'
import { toWireSshKey as toWire } from './kind.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'

export const sshKeyHandlers: Handlers<typeof tables.sshKeyOperations> = {
  async current_user_ssh_key_list(ctx) {
    const rows = rowsOf(ctx.db, 'ssh_key').selectAll().where('silo_user_id', '=', ctx.actor.userId)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWire)
  },

  current_user_ssh_key_search: async (ctx) => searchList(ctx, 'ssh_key', ctx.actor.userId),

  async current_user_ssh_key_create(ctx) {
    const { userId: user_id, siloId: silo_id } = ctx.actor
    const columns = { silo_user_id: user_id, public_key: ctx.body.public_key }
    return toWire(await insertNamed(ctx, 'ssh_key', ctx.body, columns, { silo_id, user_id }))
  },

  current_user_ssh_key_view: async (ctx) =>
    toWire(await lookupOwn(ctx, 'ssh_key', ctx.params.ssh_key)),

  async current_user_ssh_key_delete(ctx) {
    const key = await lookupOwn(ctx, 'ssh_key', ctx.params.ssh_key)
    await deleteSshKey(ctx, key, ctx.actor.siloId)
  },
}
