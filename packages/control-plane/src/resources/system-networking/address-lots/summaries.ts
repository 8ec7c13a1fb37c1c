import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { byAddress } from '../../networking/addresses/keys.ts'
import { toWireBlock, toWireLot } from './wire.ts'

/** The lots of a page of the list, with the blocks that it shows. */
export async function summaries(
  db: Db,
  lots: readonly Row<'address_lot'>[],
): Promise<Wire.AddressLotSummary[]> {
  if (lots.length === 0) return []
  const blocks = await db
    .selectFrom('address_lot_block as block')
    .selectAll()
    .select([
      sql<number>`(select count(*) from reserved_address
        where address_lot_block_id = block.id)`.as('reserved'),
      sql<number>`(select count(*) from bgp_announcement
        where address_lot_block_id = block.id)`.as('announced'),
    ])
    .where('address_lot_id', 'in', idsIn(lots))
    .execute()
  const ofLot = Map.groupBy(blocks, (block) => block.address_lot_id)
  return lots.map((lot) => {
    const its = ofLot.get(lot.id) ?? []
    const [first] = its.toSorted((a, b) => byAddress(a.first_key, b.first_key))
    return {
      ...toWireLot(lot),
      first_block: first ? toWireBlock(first) : null,
      block_count: its.length,
      use_count: its.reduce(
        (sum, { reserved, announced }) => sum + Number(reserved) + Number(announced),
        0,
      ),
    }
  })
}
