import type { tables, Wire } from '@steading/api'
import { may } from '../../kernel/authz/actor.ts'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { viewGroup } from '../groups/view.ts'

const view = (row: Row<'silo_user'>): Wire.User => ({
  id: row.id,
  display_name: row.display_name,
  silo_id: row.silo_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const userHandlers: Handlers<typeof tables.userOperations> = {
  async current_user_view(ctx) {
    const { actor } = ctx
    const user = await rowsOf(ctx.db, 'silo_user')
      .selectAll()
      .where('id', '=', actor.userId)
      .executeTakeFirstOrThrow()
    return {
      ...view(user),
      silo_name: actor.siloName,
      fleet_viewer: may(actor, 'read', 'fleet', {}),
      silo_admin: may(actor, 'modify', 'silo', { siloId: actor.siloId }),
    }
  },

  async current_user_groups(ctx) {
    const rows = rowsOf(ctx.db, 'silo_group')
      .innerJoin('silo_group_membership as member', 'member.group_id', 'its.id')
      .selectAll('its')
      .where('member.user_id', '=', ctx.actor.userId)
    return listPage(ctx.page, rows, { id: 'its.id' }, viewGroup)
  },

  async user_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_user', { siloId })
    let rows = rowsOf(ctx.db, 'silo_user').selectAll().where('silo_id', '=', siloId)
    if (ctx.query.group) {
      const group = await lookup(ctx, 'silo_group', ctx.query.group)
      rows = rows.where((eb) =>
        eb(
          'id',
          'in',
          eb.selectFrom('silo_group_membership').select('user_id').where('group_id', '=', group.id),
        ),
      )
    }
    return listPage(ctx.page, rows, { id: 'id' }, view)
  },

  async user_view(ctx) {
    return view(await lookup(ctx, 'silo_user', ctx.params.user_id))
  },
}
