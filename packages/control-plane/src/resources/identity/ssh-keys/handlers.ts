import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookupOwn, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { deleteSshKey, keyChanged } from './delete.ts'
import { toWireSshKey as toWire } from './wire.ts'
import { named } from '../../../kernel/search/name-key.ts'

export const sshKeyHandlers: Handlers<typeof tables.sshKeyOperations> = {
  async current_user_ssh_key_list(ctx) {
    const rows = rowsOf(ctx.db, 'ssh_key').selectAll().where('silo_user_id', '=', ctx.actor.userId)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWire)
  },

  async current_user_ssh_key_search(ctx) {
    return searchList(ctx, 'ssh_key', ctx.actor.userId)
  },

  async current_user_ssh_key_create(ctx) {
    const { name, description, public_key } = ctx.body
    await requireFreeName(ctx.db, 'ssh_key', ctx.actor.userId, name)
    const time = ctx.now.toISOString()
    const key: Row<'ssh_key'> = {
      id: crypto.randomUUID(),
      silo_user_id: ctx.actor.userId,
      ...named(name),
      description,
      public_key,
      time_created: time,
      time_modified: time,
      time_deleted: null,
    }
    await ctx.db.insertInto('ssh_key').values(key).execute()
    await keyChanged(ctx, key, ctx.actor.siloId, 'create')
    return toWire(key)
  },

  async current_user_ssh_key_view(ctx) {
    return toWire(await lookupOwn(ctx, 'ssh_key', ctx.params.ssh_key))
  },

  async current_user_ssh_key_delete(ctx) {
    const key = await lookupOwn(ctx, 'ssh_key', ctx.params.ssh_key)
    await deleteSshKey(ctx, key, ctx.actor.siloId)
  },
}
