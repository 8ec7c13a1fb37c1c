import { SlidersHorizontal } from 'lucide-react'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { settingsColumns, type SettingsRow } from './columns.tsx'
import { portSettingsListDefinition } from './queries.ts'
import { useSettingsActions } from './settings-actions.ts'

const portSettings = resourceList({
  list: portSettingsListDefinition,
  noun: { one: 'port settings', many: 'port settings' },
  icon: SlidersHorizontal,
  path: '/system/networking/port-settings',
  item: '/system/networking/port-settings/$portSettings',
  columns: settingsColumns,
  bulk: true,
  create: { calls: 'networkingSwitchPortSettingsCreate' },
  empty: {
    body: 'Port settings configure a port of a switch: its links, addresses, routes and BGP peers.',
  },
})

export function PortSettingsTab() {
  const actions = useSettingsActions()
  return (
    <TabPanel of={connectivityTabs} tab="Port Settings">
      <ResourceTab
        of={portSettings}
        actions={(settings: SettingsRow) => actions(settings, (settings.portCount ?? 0) > 0)}
      />
    </TabPanel>
  )
}
