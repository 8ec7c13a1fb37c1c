import { portSettingsUses } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const portSettingsListDefinition: ListDefinition<'networkingSwitchPortSettingsList'> = {
  kind: 'switch_port_settings',
  id: 'port-settings',
  operation: 'networkingSwitchPortSettingsList',
  searched: 'networkingSwitchPortSettingsSearch',
  filters: { use: portSettingsUses },
}
