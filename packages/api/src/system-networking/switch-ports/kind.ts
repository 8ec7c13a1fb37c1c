import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A port of a switch. Ports are hardware: they are neither created nor deleted. */
export const switch_port = {
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'networking_switch_port_list',
    'networking_switch_port_view',
    'networking_switch_port_status',
    'networking_switch_port_lldp_config_view',
    'networking_switch_port_lldp_neighbors',
    'networking_switch_port_settings_list',
    'networking_switch_port_settings_details',
    'networking_bgp_config_list',
    'networking_bgp_config_view',
    'networking_bgp_status',
    'networking_bgp_exported',
    'networking_bgp_imported',
    'networking_bgp_imported_routes_ipv4',
    'networking_bgp_message_history',
  ],
} as const satisfies Kind
