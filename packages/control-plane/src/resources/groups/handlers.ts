import type { Wire } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { listPage } from '../../kernel/paging.ts'
import { type GroupRow, lookupGroup } from './lookup.ts'

export const groupView = (row: GroupRow): Wire.Group => ({
  id: row.id,
  display_name: row.display_name,
  silo_id: row.silo_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const groupHandlers: Handlers<'group_list' | 'group_view'> = {
  async group_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_group', { siloId })
    const query = ctx.db
      .selectFrom('silo_group')
      .selectAll()
      .where('silo_id', '=', siloId)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { id: 'id' }, groupView)
  },

  async group_view(ctx) {
    return groupView(await lookupGroup(ctx, ctx.params.group_id))
  },
}
