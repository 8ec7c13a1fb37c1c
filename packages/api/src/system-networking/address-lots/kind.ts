import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** Blocks of addresses assigned to the rack for its external connection. */
export const address_lot = {
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'networking_address_lot_list',
    'networking_address_lot_view',
    'networking_address_lot_block_list',
    'networking_address_lot_use_list',
  ],
} as const satisfies Kind
