import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import { may } from '../../kernel/authz/actor.ts'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import type { SiloUserTable } from '../../kernel/db/schema.ts'
import { groupView } from '../groups/handlers.ts'
import { lookupGroup } from '../groups/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'

type UserRow = Selectable<SiloUserTable>

const view = (row: UserRow): Wire.User => ({
  id: row.id,
  display_name: row.display_name,
  silo_id: row.silo_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

type UserOperation = 'current_user_view' | 'current_user_groups' | 'user_list' | 'user_view'

export const userHandlers: Handlers<UserOperation> = {
  async current_user_view(ctx) {
    const { actor } = ctx
    const user = await ctx.db
      .selectFrom('silo_user')
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
    const query = ctx.db
      .selectFrom('silo_group')
      .innerJoin('silo_group_membership as member', 'member.group_id', 'silo_group.id')
      .selectAll('silo_group')
      .where('member.user_id', '=', ctx.actor.userId)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { id: 'silo_group.id' }, groupView)
  },

  async user_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_user', { siloId })
    let query = ctx.db
      .selectFrom('silo_user')
      .selectAll()
      .where('silo_id', '=', siloId)
      .where('time_deleted', 'is', null)
    if (ctx.query.group) {
      const group = await lookupGroup(ctx, ctx.query.group)
      query = query.where((eb) =>
        eb(
          'id',
          'in',
          eb.selectFrom('silo_group_membership').select('user_id').where('group_id', '=', group.id),
        ),
      )
    }
    return listPage(ctx.page, query, { id: 'id' }, view)
  },

  async user_view(ctx) {
    const { siloId } = ctx.actor
    const missing = () => fail.notFoundById('silo-user', ctx.params.user_id)
    const user = await ctx.db
      .selectFrom('silo_user')
      .selectAll()
      .where('id', '=', ctx.params.user_id.toLowerCase())
      .where('silo_id', '=', siloId)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!user) throw missing()
    authorize(ctx, 'silo_user', { siloId }, missing)
    return view(user)
  },
}
