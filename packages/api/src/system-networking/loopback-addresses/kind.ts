import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** An address of a switch itself rather than of one of its ports. */
export const loopback_address = {
  resource: 'loopback-addresses',
  access: operating,
  parent: 'fleet',
  reads: [
    'networking_loopback_address_list',
    'networking_loopback_address_detail_list',
    'networking_address_lot_use_list',
    'networking_address_lot_list',
  ],
} as const satisfies Kind
