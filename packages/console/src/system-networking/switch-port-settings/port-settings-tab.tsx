import { SlidersHorizontal } from 'lucide-react'
import type { SwitchPortSettingsIdentity, SwitchPortSettingsSummary } from '@steading/api/client'
import { gigabits } from '@steading/api/rules'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { portSettingsListDefinition } from './queries.ts'
import { useSettingsActions } from './settings-actions.ts'
import type { ListColumn } from '../../page/columns.tsx'
import { Tag } from '../../ui/tag.tsx'

/** Port settings; rows of searched lists include a summary of their contents. */
type SettingsRow = SwitchPortSettingsIdentity & Partial<SwitchPortSettingsSummary>

const settingsColumns: ListColumn<SettingsRow>[] = [
  'name',
  {
    id: 'ports',
    header: 'ports',
    width: 112,
    phone: 'first',
    cell: ({ portCount }) =>
      portCount ? `${portCount} port${portCount === 1 ? '' : 's'}` : <Tag>unused</Tag>,
  },
  {
    id: 'geometry',
    header: 'geometry',
    width: 128,
    cell: ({ geometry }) => geometry,
  },
  {
    id: 'speed',
    header: 'speed',
    width: 112,
    phone: 'second',
    cell: ({ speed }) => (speed ? `${gigabits(speed)} Gb/s` : null),
  },
  {
    id: 'peers',
    header: 'BGP peers',
    width: 112,
    phone: 'second',
    cell: ({ peerCount }) => (peerCount ? `${peerCount} peer${peerCount === 1 ? '' : 's'}` : null),
  },
  'description',
  'created',
]

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
