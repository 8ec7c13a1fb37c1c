import { portSettingsUses } from './uses.ts'
import { portGeometryNames } from './rules.ts'
import { NameOrId } from '../../schema.ts'
import {
  SwitchPortSettings,
  SwitchPortSettingsCreate,
  SwitchPortSettingsDetails,
  SwitchPortSettingsIdentity,
  SwitchPortSettingsSummary,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/**
 * The deletion names the settings in the query. It is optional here, because its absence has a
 * refusal of its own.
 */
const port_settings = NameOrId.optional()

export const switchPortSettingsOperations = usual('switch_port_settings', {
  item: SwitchPortSettings,
  id: 'networking_switch_port_settings',
  path: '/v1/system/networking/switch-port-settings/{port}',
  tag: 'system/networking',
})({
  networking_switch_port_settings_list: {
    summary: 'List settings of switch ports',
    query: { port_settings },
    pages: SwitchPortSettingsIdentity,
  },
  networking_switch_port_settings_search: {
    pages: SwitchPortSettingsSummary,
    filters: { geometry: portGeometryNames, use: portSettingsUses },
  },
  networking_switch_port_settings_create: {
    summary: 'Create settings for switch ports, or replace existing ones wherever they are applied',
    permission: { switch_port_settings: 'create', address_lot: 'read', bgp_config: 'read' },
    audited: { kind: 'switch_port_settings', name: 'name' },
    body: SwitchPortSettingsCreate,
    replaces: {
      id: 'networking_switch_port_settings_details',
      params: ({ body: { name } }) => ({ port: name }),
    },
  },
  networking_switch_port_settings_view: { summary: 'Show settings of switch ports' },
  networking_switch_port_settings_details: {
    route: 'GET',
    extension: true,
    summary: 'Show settings of switch ports as written, and the ports that use them',
    answer: SwitchPortSettingsDetails,
  },
  networking_switch_port_settings_delete: {
    route: 'DELETE /v1/system/networking/switch-port-settings',
    summary: 'Delete settings that no switch port uses',
    query: { port_settings },
  },
})
