import type { tables, Wire } from '@steading/api'
import { addressWithMask, FLEET_ID, kinds, loopbackMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { pick } from '../../../kernel/pick.ts'
import { releaseAddresses, reserveAddress } from '../address-lots/reserve.ts'

type Loopback = Row<'loopback_address'>

const toWire = (row: Loopback): Wire.LoopbackAddress => ({
  ...pick(row, 'id', 'rack_id', 'switch_slot', 'address', 'address_lot_block_id'),
})

type LoopbackKey = Pick<Loopback, 'switch_slot' | 'address'>

/** Name of a switch's address, for messages and events. */
const nameOf = ({ switch_slot, address }: LoopbackKey) => `${address} on ${switch_slot}`

export const loopbackAddressHandlers: Handlers<typeof tables.loopbackAddressOperations> = {
  async networking_loopback_address_list(ctx) {
    authorize(ctx, 'loopback_address', {})
    const rows = rowsOf(ctx.db, 'loopback_address').selectAll()
    return listPage(ctx.page, rows, { id: 'id' }, toWire)
  },

  async networking_loopback_address_detail_list(ctx) {
    authorize(ctx, 'loopback_address', {})
    const rows = rowsOf(ctx.db, 'loopback_address')
      .innerJoin('address_lot_block as block', 'block.id', 'its.address_lot_block_id')
      .innerJoin('address_lot as lot', 'lot.id', 'block.address_lot_id')
      .selectAll('its')
      .select(['lot.id as address_lot_id', 'lot.name as address_lot_name'])
    return listPage(ctx.page, rows, { id: 'its.id' }, (row) => ({
      ...toWire(row),
      address_lot_id: row.address_lot_id,
      address_lot_name: row.address_lot_name,
      anycast: row.anycast === 1,
      time_created: row.time_created,
    }))
  },

  async networking_loopback_address_create(ctx) {
    authorize(ctx, 'loopback_address', {})
    const { switch_slot, anycast } = ctx.body
    const { id: rack_id } = await lookup(ctx, 'rack', ctx.body.rack_id)
    const lot = await lookup(ctx, 'address_lot', ctx.body.address_lot)
    const address = addressWithMask(ctx.body.address, ctx.body.mask)
    if (!address) throw fail.invalidRequest(loopbackMessages.invalid)
    const key = { rack_id, switch_slot, address }
    const taken = await ctx.db
      .selectFrom('loopback_address')
      .select('id')
      .where('rack_id', '=', rack_id)
      .where('switch_slot', '=', switch_slot)
      .where('address', '=', address)
      .executeTakeFirst()
    if (taken) throw fail.alreadyExists(kinds.loopback_address.type, nameOf(key))
    const id = crypto.randomUUID()
    const loopback: Loopback = {
      id,
      fleet_id: FLEET_ID,
      ...key,
      address_lot_block_id: await reserveAddress(ctx.db, lot, {
        address,
        anycast,
        holder: 'loopback_address',
        holder_id: id,
      }),
      anycast: anycast ? 1 : 0,
      time_created: ctx.now.toISOString(),
    }
    await ctx.db.insertInto('loopback_address').values(loopback).execute()
    await ctx.emit('loopback_address', 'create', { id, name: nameOf(key) })
    return toWire(loopback)
  },

  async networking_loopback_address_delete(ctx) {
    const { rack_id, switch_slot, subnet_mask } = ctx.params
    const missing = (address: string) =>
      fail.notFoundById(kinds.loopback_address.type, nameOf({ switch_slot, address }))
    authorize(ctx, 'loopback_address', {}, () => missing(`${ctx.params.address}/${subnet_mask}`))
    const address = addressWithMask(ctx.params.address, subnet_mask)
    if (!address) throw fail.invalidRequest(loopbackMessages.invalidPath)
    const found = await rowsOf(ctx.db, 'loopback_address')
      .select('its.id')
      .where('rack_id', '=', rack_id)
      .where('switch_slot', '=', switch_slot)
      .where('address', '=', address)
      .executeTakeFirst()
    if (!found) throw missing(address)
    await ctx.db.deleteFrom('loopback_address').where('id', '=', found.id).execute()
    await releaseAddresses(ctx.db, 'loopback_address', found.id)
    const name = nameOf({ switch_slot, address })
    await ctx.emit('loopback_address', 'delete', { id: found.id, name })
  },
}
