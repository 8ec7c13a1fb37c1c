import type { tables, Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { pageOfFew } from '../../../kernel/paging.ts'
import { fail } from '../../../kernel/errors.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { seenIn, unusedSleds } from '../hardware/unused-hardware.ts'
import { abortMembership, addMembers, toWireMembership } from './membership.ts'

const toWire = ({ id, time_created, time_modified }: Row<'rack'>): Wire.Rack => ({
  id,
  time_created,
  time_modified,
})

const baseboardOf = ({ part_number, serial_number }: Wire.BaseboardId) => ({
  part: part_number,
  serial: serial_number,
})

const racks = usualHandlers('rack', each(toWire), 'rack_id')

export const rackHandlers: Handlers<typeof tables.rackOperations> = {
  rack_list: racks.list,
  rack_view: racks.view,

  async rack_membership_status(ctx) {
    const { id } = await racks.find(ctx)
    return toWireMembership(ctx.db, id, ctx.query.version)
  },

  async rack_membership_add_sleds(ctx) {
    const rack = await racks.find(ctx)
    if (ctx.body.sled_ids.length === 0) throw fail.invalidValue('sled_ids', 'no sleds are given')
    await addMembers(ctx, rack, ctx.body.sled_ids.map(baseboardOf))
    ctx.afterCommit(async () => ctx.services.reconciler.wake('rack'))
    return toWireMembership(ctx.db, rack.id)
  },

  async rack_membership_abort(ctx) {
    const { id } = await racks.find(ctx)
    await abortMembership(ctx, id)
    ctx.afterCommit(async () => ctx.services.reconciler.wake('rack'))
    return toWireMembership(ctx.db, id)
  },

  async sled_list_uninitialized(ctx) {
    authorize(ctx, 'sled', {})
    const all = await rowsOf(ctx.db, 'rack').selectAll().execute()
    const waiting: Wire.UninitializedSled[] = []
    for (const rack of all) {
      for (const sled of await unusedSleds(ctx.db, seenIn(rack))) {
        const { part, serial, revision, cubby } = sled
        waiting.push({ baseboard: { part, serial, revision }, rack_id: rack.id, cubby })
      }
    }
    return pageOfFew(ctx.page, waiting, ({ baseboard }) => baseboard.serial)
  },
}
