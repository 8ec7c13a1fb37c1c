import type { tables } from '@steading/api'
import { addressLotMessages, FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { byAddress } from '../../networking/addresses/keys.ts'
import { createLot } from './create.ts'
import type { AddressLotBlockRow } from './table.ts'
import { isInUse, usesOf } from './uses.ts'
import { toWireBlock, toWireLot } from './wire.ts'

const lookupLot = (ctx: LookupContext<'address_lot'> & { params: { address_lot: string } }) =>
  lookup(ctx, 'address_lot', ctx.params.address_lot)

const blocksOf = (db: Db, { id }: Row<'address_lot'>) =>
  db.selectFrom('address_lot_block').selectAll().where('address_lot_id', '=', id)

const withBlocks = (lot: Row<'address_lot'>, blocks: AddressLotBlockRow[]) => ({
  lot: toWireLot(lot),
  blocks: blocks.toSorted((a, b) => byAddress(a.first_key, b.first_key)).map(toWireBlock),
})

export const addressLotHandlers: Handlers<typeof tables.addressLotOperations> = {
  async networking_address_lot_list(ctx) {
    authorize(ctx, 'address_lot', {})
    const rows = rowsOf(ctx.db, 'address_lot').selectAll()
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireLot)
  },

  async networking_address_lot_search(ctx) {
    authorize(ctx, 'address_lot', {})
    return searchList(ctx, 'address_lot', FLEET_ID)
  },

  async networking_address_lot_create(ctx) {
    authorize(ctx, 'address_lot', {})
    const { lot, blocks } = await createLot(ctx, ctx.body)
    return withBlocks(lot, blocks)
  },

  async networking_address_lot_view(ctx) {
    const lot = await lookupLot(ctx)
    return withBlocks(lot, await blocksOf(ctx.db, lot).execute())
  },

  async networking_address_lot_delete(ctx) {
    const lot = await lookupLot(ctx)
    if (await isInUse(ctx.db, lot)) throw fail.invalidRequest(addressLotMessages.inUse)
    await ctx.db.deleteFrom('address_lot_block').where('address_lot_id', '=', lot.id).execute()
    await ctx.db
      .updateTable('address_lot')
      .set({ time_deleted: ctx.now.toISOString() })
      .where('id', '=', lot.id)
      .execute()
    await ctx.emit('address_lot', 'delete', lot)
  },

  async networking_address_lot_block_list(ctx) {
    const lot = await lookupLot(ctx)
    return listPage(ctx.page, blocksOf(ctx.db, lot), { id: 'id' }, toWireBlock)
  },

  async networking_address_lot_use_list(ctx) {
    return { items: await usesOf(ctx.db, await lookupLot(ctx)) }
  },
}
