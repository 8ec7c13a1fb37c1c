import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** BGP identity of the rack's switches: their autonomous system, and its announcements. */
export const bgp_config = {
  words: 'BGP configuration',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'networking_bgp_config_list',
    'networking_bgp_config_view',
    'networking_bgp_status',
    'networking_bgp_exported',
    'networking_bgp_imported',
    'networking_bgp_imported_routes_ipv4',
    'networking_bgp_message_history',
    'networking_bgp_announce_set_list',
  ],
} as const satisfies Kind

/** Networks that are announced together. */
export const bgp_announce_set = {
  words: 'announce set',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'networking_bgp_announce_set_list',
    'networking_bgp_announce_set_view',
    'networking_bgp_announcement_list',
    'networking_bgp_config_list',
    'networking_bgp_config_view',
    'networking_bgp_exported',
    'networking_address_lot_use_list',
    'networking_address_lot_list',
  ],
} as const satisfies Kind
