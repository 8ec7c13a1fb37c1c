import type { tables, Wire } from '@steading/api'
import { serviceAccountMessages, siloMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { displayedPage } from '../../../kernel/display-names.ts'
import { fail } from '../../../kernel/errors.ts'
import { fewPerTurn } from '../../../kernel/event-loop.ts'
import { type Row, rowsOf, readLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { each } from '../../../kernel/search/search.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createGroup } from './create.ts'
import { deleteGroup } from './delete.ts'
import { changeMembers, countMembers } from './members.ts'
import { sourceOf, toWireGroup } from './kind.ts'

const siloOf = (db: Db, siloId: string) => readLive(db, 'silo', siloId, 'identity_mode')

/** Groups as administrators see them, with the number of their members. */
async function withDetails(
  db: Db,
  siloId: string,
  groups: Row<'silo_group'>[],
): Promise<Wire.GroupDetails[]> {
  const silo = await siloOf(db, siloId)
  const members = await countMembers(db, idsIn(groups))
  return groups.map((group) => ({
    ...toWireGroup(group),
    source: sourceOf(silo, group.display_name_key),
    members: Number(members.get(group.id) ?? 0),
  }))
}

/** @throws ApiError 400 for a silo whose groups come from an identity provider */
async function requireOwnGroups(db: Db, siloId: string): Promise<void> {
  const { identity_mode } = await siloOf(db, siloId)
  if (identity_mode !== 'local_only') throw fail.invalidRequest(siloMessages.groupsElsewhere)
}

const groups = usualHandlers('silo_group', each(toWireGroup), 'group_id')

export const groupHandlers: Handlers<typeof tables.groupOperations> = {
  group_list: groups.list,
  group_view: groups.view,

  async group_details_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_group', { siloId })
    const rows = rowsOf(ctx.db, 'silo_group').where('its.silo_id', '=', siloId)
    const { search } = ctx.query
    return displayedPage(ctx.page, rows, search, (groups: Row<'silo_group'>[]) =>
      withDetails(ctx.db, siloId, groups),
    )
  },

  async group_details_view(ctx) {
    const group = await groups.find(ctx)
    return (await withDetails(ctx.db, group.silo_id, [group]))[0]!
  },

  async group_create(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_group', { siloId })
    await requireOwnGroups(ctx.db, siloId)
    const { display_name } = ctx.body
    return toWireGroup(await createGroup(ctx, { silo_id: siloId, display_name }))
  },

  async group_delete(ctx) {
    const group = await groups.find(ctx)
    await requireOwnGroups(ctx.db, group.silo_id)
    await deleteGroup(ctx, group)
  },

  async group_members_update(ctx) {
    const group = await groups.find(ctx)
    await requireOwnGroups(ctx.db, group.silo_id)
    const { add, remove } = ctx.body
    for await (const id of fewPerTurn(new Set(add))) {
      const user = await lookup(ctx, 'silo_user', id)
      if (user.is_service) {
        throw fail.invalidRequest(serviceAccountMessages.inNoGroup(user.display_name))
      }
    }
    await changeMembers(ctx, group, { add, remove })
    return toWireGroup(await lookup(ctx, 'silo_group', group.id))
  },
}
