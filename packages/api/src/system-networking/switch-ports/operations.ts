import { switchSlotCame } from '../loopback-addresses/upgrade.ts'
import { switchSlots } from '../../hardware/sleds/hardware.ts'
import { Name, NamesOrIds, uuid } from '../../schema.ts'
import { LldpLinkConfig } from '../switch-port-settings/schemas.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import {
  LldpNeighbor,
  SwitchLinkState,
  SwitchPort,
  SwitchPortApplySettings,
  SwitchPortDetails,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** A port is identified by its rack, its switch, and its own name there. */
const place = {
  query: { rack_id: uuid, switch_slot: SwitchSlot },
  formerQuery: { switch_location: { name: 'switch_slot', until: switchSlotCame } },
}

export const switchPortOperations = usual('switch_port', {
  item: SwitchPortDetails,
  id: 'networking_switch_port',
  path: '/v1/system/hardware/switch-port/{port}',
  tag: 'system/hardware',
  params: { port: Name },
})({
  networking_switch_port_list: {
    query: { switch_port_id: uuid.nullable().optional() },
    pages: SwitchPort,
    sort: 'id',
  },
  networking_switch_port_search: {
    pages: SwitchPortDetails,
    items: 'SwitchPort',
    allColumns: ['name', 'natural_name', 'time_applied'],
    filters: { switch_slot: switchSlots, configured: ['yes', 'no'], port_settings: NamesOrIds },
    live: true,
  },
  networking_switch_port_view: {
    route: 'GET /x/v1/system/hardware/switch-port/{switch_port}',
    summary: 'Show a switch port with its settings and the states of its links',
    params: { switch_port: uuid },
    live: true,
  },
  networking_switch_port_status: {
    route: 'GET status',
    summary: "Show the state of a port's links",
    live: true,
    ...place,
    answer: SwitchLinkState,
  },
  networking_switch_port_apply_settings: {
    route: 'POST settings',
    summary: 'Replace the settings of a switch port',
    permission: { switch_port: 'modify', switch_port_settings: 'read' },
    ...place,
    body: SwitchPortApplySettings,
    success: { status: 204 },
  },
  networking_switch_port_clear_settings: {
    route: 'DELETE settings',
    summary: 'Clear the settings of a switch port',
    ...place,
  },
  networking_switch_port_lldp_config_view: {
    route: 'GET lldp/config',
    tags: ['system/networking'],
    summary: 'Show the LLDP configuration of a switch port',
    ...place,
    answer: LldpLinkConfig,
  },
  networking_switch_port_lldp_config_update: {
    route: 'POST lldp/config',
    tags: ['system/networking'],
    summary: 'Replace the LLDP configuration of a switch port',
    ...place,
    body: LldpLinkConfig,
    replaces: { id: 'networking_switch_port_lldp_config_view' },
    success: { status: 204 },
    changes: ['switch_port_settings'],
  },
  networking_switch_port_lldp_neighbors: {
    route: 'GET /v1/system/hardware/rack-switch-port/{rack_id}/{switch_slot}/{port}/lldp/neighbors',
    tags: ['system/networking'],
    summary: 'List the LLDP neighbors of a switch port',
    params: { switch_slot: SwitchSlot },
    pages: LldpNeighbor,
    sort: 'id',
    live: true,
  },
})
