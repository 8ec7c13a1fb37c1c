import { useQuery } from '@tanstack/react-query'
import { EthernetPort } from 'lucide-react'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { allPortSettingsQuery } from '../switch-port-settings/queries.ts'
import { portColumns } from './columns.tsx'
import { LINK_POLL_MS, switchPortListDefinition } from './queries.ts'
import { usePortActions } from './port-actions.tsx'

const ports = resourceList({
  list: switchPortListDefinition,
  noun: 'switch port',
  icon: EthernetPort,
  path: '/system/networking/switch-ports',
  columns: portColumns as never,
  interval: LINK_POLL_MS,
  empty: { body: 'The ports of the switches are shown here once the rack is set up.' },
})

export function SwitchPortsTab() {
  const settings = useQuery(allPortSettingsQuery)
  return (
    <TabPanel of={connectivityTabs} tab="Switch Ports">
      <ResourceTab
        of={ports}
        names={{ port_settings: settings.data?.items.map(({ name }) => name) ?? [] }}
        actions={usePortActions()}
      />
    </TabPanel>
  )
}
