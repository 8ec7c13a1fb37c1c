import type { tables } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { viewGroup } from './view.ts'

export const groupHandlers: Handlers<typeof tables.groupOperations> = {
  async group_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_group', { siloId })
    const rows = rowsOf(ctx.db, 'silo_group').selectAll().where('silo_id', '=', siloId)
    return listPage(ctx.page, rows, { id: 'id' }, viewGroup)
  },

  async group_view(ctx) {
    return viewGroup(await lookup(ctx, 'silo_group', ctx.params.group_id))
  },
}
