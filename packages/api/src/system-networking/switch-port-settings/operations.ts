import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { portSettingsUses } from './uses.ts'
import { portGeometryNames } from './rules.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  SwitchPortSettings,
  SwitchPortSettingsCreate,
  SwitchPortSettingsDetails,
  SwitchPortSettingsIdentityResultsPage,
  SwitchPortSettingsSummary,
} from './schemas.ts'

const tags = ['system/networking']
const path = '/v1/system/networking/switch-port-settings'
const read = { switch_port_settings: 'read' } as const
const params = { port: NameOrId }
/**
 * The deletion names the settings in the query. It is optional here, because its absence has a
 * refusal of its own.
 */
const port_settings = NameOrId.optional()

const networking_switch_port_settings_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List settings of switch ports',
  permission: { switch_port_settings: 'list' },
  ...paged('name_or_id', { port_settings }),
  success: { status: 200, schema: SwitchPortSettingsIdentityResultsPage },
} as const satisfies Operation

export const switchPortSettingsOperations = {
  networking_switch_port_settings_list,
  networking_switch_port_settings_search: searched({
    kind: 'SwitchPortSettings',
    item: SwitchPortSettingsSummary,
    plain: networking_switch_port_settings_list,
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: { geometry: portGeometryNames, use: portSettingsUses },
  }),
  networking_switch_port_settings_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create settings for switch ports, or replace existing ones wherever they are applied',
    permission: { switch_port_settings: 'create', address_lot: 'read', bgp_config: 'read' },
    audited: { kind: 'switch_port_settings', name: 'name' },
    body: SwitchPortSettingsCreate,
    replaces: {
      id: 'networking_switch_port_settings_details',
      params: ({ body: { name } }) => ({ port: name }),
    },
    success: { status: 201, schema: SwitchPortSettings },
  },
  networking_switch_port_settings_view: {
    method: 'GET',
    path: `${path}/{port}`,
    tags,
    summary: 'Show settings of switch ports',
    permission: read,
    params,
    success: { status: 200, schema: SwitchPortSettings },
  },
  networking_switch_port_settings_details: {
    method: 'GET',
    path: `/x${path}/{port}`,
    tags: ['extensions'],
    summary: 'Show settings of switch ports as written, and the ports that use them',
    permission: read,
    params,
    success: { status: 200, schema: SwitchPortSettingsDetails },
  },
  networking_switch_port_settings_delete: {
    method: 'DELETE',
    path,
    tags,
    summary: 'Delete settings that no switch port uses',
    permission: { switch_port_settings: 'modify' },
    query: { port_settings },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
