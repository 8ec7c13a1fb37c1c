import type { tables } from '@steading/api'
import { hardwareMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { listPage } from '../../../kernel/paging.ts'
import type { BaseboardId } from '../../../kernel/ports/hardware.ts'
import { each } from '../../../kernel/search/search.ts'
import { changeRow, readRow } from '../../../kernel/db/rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { toWireHost } from '../hosts/wire.ts'
import { addMembers } from '../racks/membership.ts'
import { endMaintenance, maintenanceOf } from '../sled-maintenance/change.ts'
import { findRackWith } from '../hardware/unused-hardware.ts'
import { expungeSled, previewExpunge } from './expunge.ts'
import { sledInstances, toWireSledInstance } from './instances.ts'
import { toWireSled, toWireSledDetails } from './wire.ts'

/**
 * The rack that contains a sled, or else the first one.
 * @throws ApiError 404 if there is no rack
 */
async function rackWith(db: Db, sled: BaseboardId): Promise<Row<'rack'>> {
  const rack =
    (await findRackWith(db, sled)) ??
    (await rowsOf(db, 'rack').selectAll().orderBy('its.id').limit(1).executeTakeFirst())
  if (!rack) throw fail.notFoundGeneric(hardwareMessages.noMembership)
  return rack
}

const sleds = usualHandlers('sled', each(toWireSled), 'sled_id')

export const sledHandlers: Handlers<typeof tables.sledOperations> = {
  sled_list: sleds.list,
  sled_search: sleds.search,
  sled_view: sleds.view,

  async sled_details_view(ctx) {
    const [details] = await toWireSledDetails(ctx.db, [await sleds.find(ctx)])
    return details!
  },

  async sled_host_view(ctx) {
    const { name } = await sleds.find(ctx)
    return { host: await toWireHost(ctx.services.hosts, name) }
  },

  async sled_instance_list(ctx) {
    const sled = await sleds.find(ctx)
    const rows = sledInstances(ctx.db, sled.id)
    return listPage(ctx.page, rows, { id: 'instance.id' }, toWireSledInstance)
  },

  async sled_add(ctx) {
    authorize(ctx, 'sled', {})
    const rack = await rackWith(ctx.db, ctx.body)
    const [id] = await addMembers(ctx, rack, [ctx.body])
    ctx.afterCommit(async () => ctx.services.reconciler.wake('rack'))
    return { id: id! }
  },

  async sled_set_provision_policy(ctx) {
    const sled = await sleds.find(ctx)
    const { state } = ctx.body
    if (sled.policy === 'expunged') throw fail.conflict(hardwareMessages.expunged)
    const maintenance = await maintenanceOf(ctx.db, sled.id)
    if (maintenance && state === 'provisionable') {
      await endMaintenance(ctx, sled, maintenance, state)
    } else if (state !== sled.provision_policy) {
      await changeRow(ctx.db, 'sled', sled.id, {
        provision_policy: state,
        time_modified: ctx.now.toISOString(),
      })
      await ctx.emit('sled', 'update', sled)
    }
    return { old_state: sled.provision_policy, new_state: state }
  },

  sled_expunge_preview: async (ctx) => previewExpunge(ctx.db, await sleds.find(ctx)),

  async sled_expunge(ctx) {
    const sled = await sleds.find(ctx)
    await expungeSled(ctx, sled)
    const row = await readRow(ctx.db, 'sled', sled.id)
    const [details] = await toWireSledDetails(ctx.db, [row])
    return details!
  },
}
