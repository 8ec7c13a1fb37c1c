import type { tables } from '@steading/api'
import { addressLotMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { listPage } from '../../../kernel/paging.ts'
import { each } from '../../../kernel/search/search.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { byAddress } from '../../networking/addresses/keys.ts'
import { createLot } from './create.ts'
import type { AddressLotBlockRow } from './table.ts'
import { isInUse, usesOf } from './uses.ts'
import { toWireBlock, toWireLot } from './wire.ts'

const blocksOf = (db: Db, { id }: Row<'address_lot'>) =>
  db.selectFrom('address_lot_block').selectAll().where('address_lot_id', '=', id)

const withBlocks = (lot: Row<'address_lot'>, blocks: AddressLotBlockRow[]) => ({
  lot: toWireLot(lot),
  blocks: blocks.toSorted((a, b) => byAddress(a.first_key, b.first_key)).map(toWireBlock),
})

const lots = usualHandlers('address_lot', each(toWireLot))

export const addressLotHandlers: Handlers<typeof tables.addressLotOperations> = {
  networking_address_lot_list: lots.list,
  networking_address_lot_search: lots.search,

  async networking_address_lot_create(ctx) {
    authorize(ctx, 'address_lot', {})
    const { lot, blocks } = await createLot(ctx, ctx.body)
    return withBlocks(lot, blocks)
  },

  async networking_address_lot_view(ctx) {
    const lot = await lots.find(ctx)
    return withBlocks(lot, await blocksOf(ctx.db, lot).execute())
  },

  async networking_address_lot_delete(ctx) {
    const lot = await lots.find(ctx)
    if (await isInUse(ctx.db, lot)) throw fail.invalidRequest(addressLotMessages.inUse)
    await ctx.db.deleteFrom('address_lot_block').where('address_lot_id', '=', lot.id).execute()
    await deleteRow(ctx, 'address_lot', lot)
  },

  async networking_address_lot_block_list(ctx) {
    const lot = await lots.find(ctx)
    return listPage(ctx.page, blocksOf(ctx.db, lot), { id: 'id' }, toWireBlock)
  },

  networking_address_lot_use_list: async (ctx) => ({
    items: await usesOf(ctx.db, await lots.find(ctx)),
  }),
}
