import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'
import { portSettingsObstacles, type PortSettingsUse, portSettingsUses } from './uses.ts'

/** The complete configuration of a switch port, in one document. */
export const switch_port_settings = {
  words: 'port settings',
  resource: 'switch-port-settings',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'networking_switch_port_settings_list',
    'networking_switch_port_settings_view',
    'networking_switch_port_settings_details',
    'networking_switch_port_list',
    'networking_switch_port_view',
    'networking_switch_port_status',
    'networking_switch_port_lldp_config_view',
    'networking_switch_port_lldp_neighbors',
    'networking_address_lot_use_list',
    'networking_address_lot_list',
    'networking_bgp_config_list',
    'networking_bgp_config_view',
    'networking_bgp_status',
    'networking_bgp_exported',
    'networking_bgp_imported',
    'networking_bgp_imported_routes_ipv4',
    'networking_bgp_message_history',
  ],
  bulk: ['delete'],
  deletion: {
    after: [],
    cascades: [],
    states: portSettingsUses,
    obstacle: ({ state }) => portSettingsObstacles[state as PortSettingsUse],
  },
} as const satisfies Kind
