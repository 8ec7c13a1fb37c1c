import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { lookupGroup } from './choose.ts'
import { joinGroup, leaveGroup } from './join.ts'
import { pageOfMembers } from './members.ts'
import { type GroupRow, type MemberRow, toWireGroups, toWireMember } from './wire.ts'

const group = (ctx: LookupContext<'multicast_group'> & { params: { multicast_group: string } }) =>
  lookupGroup(ctx, ctx.params.multicast_group)

const instance = (
  ctx: LookupContext<'instance'> & { params: { instance: string }; query: { project?: string } },
): Promise<Row<'instance'>> =>
  lookup(ctx, 'instance', ctx.params.instance, { project: ctx.query.project })

/** Members with the addresses of their groups. */
const members = (db: Db) =>
  db
    .selectFrom('multicast_group_member as member')
    .innerJoin('multicast_group as its', 'its.id', 'member.group_id')
    .selectAll('member')
    .select('its.multicast_ip')

const byId = { id: 'member.id' } as const

/** A member as it is now, or its last state if it is gone. */
async function present(
  db: Db,
  row: MemberRow,
  { multicast_ip }: GroupRow,
): Promise<Wire.MulticastGroupMember> {
  const now = await members(db).where('member.id', '=', row.id).executeTakeFirst()
  return toWireMember(now ?? { ...row, multicast_ip })
}

const groups = usualHandlers('multicast_group', (rows: GroupRow[], { db }) =>
  toWireGroups(db, rows),
)

export const multicastGroupHandlers: Handlers<typeof tables.multicastGroupOperations> = {
  multicast_group_list: groups.list,
  multicast_group_search: groups.search,

  async multicast_group_view(ctx) {
    const [answer] = await toWireGroups(ctx.db, [await group(ctx)])
    return answer!
  },

  async multicast_group_member_list(ctx) {
    const { id } = await group(ctx)
    // Members of other silos are only counted.
    const rows = members(ctx.db)
      .innerJoin('instance', 'instance.id', 'member.instance_id')
      .innerJoin('project', 'project.id', 'instance.project_id')
      .where('member.group_id', '=', id)
      .where('project.silo_id', '=', ctx.actor.siloId)
    return listPage(ctx.page, rows, byId, toWireMember)
  },

  multicast_group_member_details_list: async (ctx) =>
    pageOfMembers(ctx, await group(ctx), ctx.query.search),

  async instance_multicast_group_list(ctx) {
    const { id } = await instance(ctx)
    const rows = members(ctx.db).where('member.instance_id', '=', id)
    return listPage(ctx.page, rows, byId, toWireMember)
  },

  async instance_multicast_group_join(ctx) {
    const spec = { group: ctx.params.multicast_group, ...ctx.body }
    const joined = await joinGroup(ctx, ctx.actor.siloId, await instance(ctx), spec)
    const { reconciler, database } = ctx.services
    ctx.afterCommit(() => reconciler.settle('multicast_group', joined.group.id))
    return () => present(database.db, joined.member, joined.group)
  },

  async instance_multicast_group_leave(ctx) {
    const member = await instance(ctx)
    const left = await group(ctx)
    await leaveGroup(ctx, left, member)
    ctx.afterCommit(() => ctx.services.reconciler.settle('multicast_group', left.id))
  },
}
