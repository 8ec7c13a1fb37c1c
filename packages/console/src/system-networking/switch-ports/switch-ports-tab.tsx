import { useQuery } from '@tanstack/react-query'
import { EthernetPort } from 'lucide-react'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { allPortSettingsQuery } from '../switch-port-settings/queries.ts'
import { portColumns, type PortRow } from './columns.tsx'
import { LINK_POLL_MS, switchPortListDefinition } from './queries.ts'
import { usePortActions } from './port-actions.tsx'

export function SwitchPortsTab() {
  const settings = useQuery(allPortSettingsQuery)
  const list = useListPage(switchPortListDefinition, {}, portColumns as never, {
    names: { port_settings: settings.data?.items.map(({ name }) => name) ?? [] },
    refetchInterval: LINK_POLL_MS,
  })
  const actions = usePortActions()
  return (
    <TabPanel of={connectivityTabs} tab="Switch Ports">
      <ListTab<PortRow>
        label="Switch ports"
        icon={EthernetPort}
        noun={{ one: 'switch port', many: 'switch ports' }}
        list={list as never}
        actions={actions}
        empty={{
          title: 'No switch ports',
          body: 'The ports of the switches are shown here once the rack is set up.',
        }}
      />
    </TabPanel>
  )
}
