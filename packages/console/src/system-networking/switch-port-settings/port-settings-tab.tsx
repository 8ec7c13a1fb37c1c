import { Plus, SlidersHorizontal } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { settingsColumns, type SettingsRow } from './columns.tsx'
import { portSettingsListDefinition, allPortSettingsQuery } from './queries.ts'
import { useSettingsActions } from './settings-actions.ts'

const quickActions: ListQuickActions = {
  all: allPortSettingsQuery,
  group: 'Go to port settings',
  pathOf: (portSettings: string) =>
    pathTo('/system/networking/port-settings/$portSettings', { portSettings }),
}

export function PortSettingsTab() {
  const list = useListPage(portSettingsListDefinition, {}, settingsColumns, {
    refetchInterval: useLivePolling(10_000),
  })
  const bulk = useBulk('switch_port_settings', list)
  const actions = useSettingsActions()
  useListQuickActions(quickActions)
  return (
    <TabPanel of={connectivityTabs} tab="Port Settings">
      <ListTab<SettingsRow>
        label="Port settings"
        icon={SlidersHorizontal}
        noun={{ one: 'port settings', many: 'port settings' }}
        create={{
          label: 'New port settings',
          icon: Plus,
          calls: 'networkingSwitchPortSettingsCreate',
          path: pathTo('/system/networking/port-settings-new'),
        }}
        list={list}
        bulk={bulk}
        actions={(settings) => actions(settings, (settings.portCount ?? 0) > 0)}
        empty={{
          title: 'No port settings',
          body: 'Port settings configure a port of a switch: its links, addresses, routes and BGP peers.',
          create: 'New port settings',
        }}
      />
    </TabPanel>
  )
}
