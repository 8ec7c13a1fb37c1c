import type { tables, Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage, pageOfFew } from '../../../kernel/paging.ts'
import { fail } from '../../../kernel/errors.ts'
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

export const rackHandlers: Handlers<typeof tables.rackOperations> = {
  async rack_list(ctx) {
    authorize(ctx, 'rack', {})
    return listPage(ctx.page, rowsOf(ctx.db, 'rack').selectAll(), { id: 'id' }, toWire)
  },

  async rack_view(ctx) {
    return toWire(await lookup(ctx, 'rack', ctx.params.rack_id))
  },

  async rack_membership_status(ctx) {
    const { id } = await lookup(ctx, 'rack', ctx.params.rack_id)
    return toWireMembership(ctx.db, id, ctx.query.version)
  },

  async rack_membership_add_sleds(ctx) {
    const rack = await lookup(ctx, 'rack', ctx.params.rack_id)
    if (ctx.body.sled_ids.length === 0) throw fail.invalidValue('sled_ids', 'no sleds are given')
    await addMembers(ctx, rack, ctx.body.sled_ids.map(baseboardOf))
    ctx.afterCommit(async () => ctx.services.reconciler.wake('rack'))
    return toWireMembership(ctx.db, rack.id)
  },

  async rack_membership_abort(ctx) {
    const { id } = await lookup(ctx, 'rack', ctx.params.rack_id)
    await abortMembership(ctx, id)
    ctx.afterCommit(async () => ctx.services.reconciler.wake('rack'))
    return toWireMembership(ctx.db, id)
  },

  async sled_list_uninitialized(ctx) {
    authorize(ctx, 'sled', {})
    const racks = await rowsOf(ctx.db, 'rack').selectAll().execute()
    const waiting: Wire.UninitializedSled[] = []
    for (const rack of racks) {
      for (const sled of await unusedSleds(ctx.db, seenIn(rack))) {
        const { part, serial, revision, cubby } = sled
        waiting.push({ baseboard: { part, serial, revision }, rack_id: rack.id, cubby })
      }
    }
    return pageOfFew(ctx.page, waiting, ({ baseboard }) => baseboard.serial)
  },
}
