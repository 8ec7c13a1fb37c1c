import { switchSlotCame } from '../loopback-addresses/upgrade.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { switchSlots } from '../../hardware/sleds/hardware.ts'
import { Name, NamesOrIds, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { LldpLinkConfig } from '../switch-port-settings/schemas.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import {
  LldpNeighborResultsPage,
  SwitchLinkState,
  SwitchPortApplySettings,
  SwitchPortDetails,
  SwitchPortResultsPage,
} from './schemas.ts'

const path = '/v1/system/hardware/switch-port'
const hardware = ['system/hardware']
const networking = ['system/networking']
const read = { switch_port: 'read' } as const
/** A port is identified by its rack, its switch, and its own name there. */
const place = {
  params: { port: Name },
  query: { rack_id: uuid, switch_slot: SwitchSlot },
  formerQuery: { switch_location: { name: 'switch_slot', until: switchSlotCame } },
}

const networking_switch_port_list = {
  method: 'GET',
  path,
  tags: hardware,
  summary: 'List switch ports',
  permission: { switch_port: 'list' },
  ...paged('id', { switch_port_id: uuid.nullable().optional() }),
  success: { status: 200, schema: SwitchPortResultsPage },
} as const satisfies Operation

export const switchPortOperations = {
  networking_switch_port_list,
  networking_switch_port_search: {
    ...searched({
      kind: 'SwitchPort',
      item: SwitchPortDetails,
      plain: networking_switch_port_list,
      columns: ['name', 'natural_name', 'time_applied'],
      filters: {
        switch_slot: switchSlots,
        configured: ['yes', 'no'],
        port_settings: NamesOrIds,
      },
    }),
    live: true,
  },
  networking_switch_port_view: {
    method: 'GET',
    path: `/x${path}/{switch_port}`,
    tags: ['extensions'],
    summary: 'Show a switch port with its settings and the states of its links',
    permission: read,
    live: true,
    params: { switch_port: uuid },
    success: { status: 200, schema: SwitchPortDetails },
  },
  networking_switch_port_status: {
    method: 'GET',
    path: `${path}/{port}/status`,
    tags: hardware,
    summary: "Show the state of a port's links",
    permission: read,
    live: true,
    ...place,
    success: { status: 200, schema: SwitchLinkState },
  },
  networking_switch_port_apply_settings: {
    method: 'POST',
    path: `${path}/{port}/settings`,
    tags: hardware,
    summary: 'Replace the settings of a switch port',
    permission: { switch_port: 'modify', switch_port_settings: 'read' },
    ...place,
    body: SwitchPortApplySettings,
    success: { status: 204 },
  },
  networking_switch_port_clear_settings: {
    method: 'DELETE',
    path: `${path}/{port}/settings`,
    tags: hardware,
    summary: 'Clear the settings of a switch port',
    permission: { switch_port: 'modify' },
    ...place,
    success: { status: 204 },
  },
  networking_switch_port_lldp_config_view: {
    method: 'GET',
    path: `${path}/{port}/lldp/config`,
    tags: networking,
    summary: 'Show the LLDP configuration of a switch port',
    permission: read,
    ...place,
    success: { status: 200, schema: LldpLinkConfig },
  },
  networking_switch_port_lldp_config_update: {
    method: 'POST',
    path: `${path}/{port}/lldp/config`,
    tags: networking,
    summary: 'Replace the LLDP configuration of a switch port',
    permission: { switch_port: 'modify' },
    ...place,
    body: LldpLinkConfig,
    replaces: { id: 'networking_switch_port_lldp_config_view' },
    success: { status: 204 },
  },
  networking_switch_port_lldp_neighbors: {
    method: 'GET',
    path: '/v1/system/hardware/rack-switch-port/{rack_id}/{switch_slot}/{port}/lldp/neighbors',
    tags: networking,
    summary: 'List the LLDP neighbors of a switch port',
    permission: read,
    live: true,
    params: { rack_id: uuid, switch_slot: SwitchSlot, port: Name },
    ...paged('id'),
    success: { status: 200, schema: LldpNeighborResultsPage },
  },
} as const satisfies Record<string, Operation>
