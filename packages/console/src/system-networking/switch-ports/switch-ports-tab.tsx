import { useQuery } from '@tanstack/react-query'
import { EthernetPort } from 'lucide-react'
import type { SwitchPort, SwitchPortDetails } from '@steading/api/client'
import { gigabits } from '@steading/api/rules'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { allPortSettingsQuery } from '../switch-port-settings/queries.ts'
import { LINK_POLL_MS, switchPortListDefinition } from './queries.ts'
import { usePortActions } from './port-actions.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { CellLink } from '../../ui/link.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { LinkStateBadge } from '../external-connectivity/state-badges.tsx'

/** A switch port; rows of searched lists include its settings and the state of its links. */
type PortRow = SwitchPort & Partial<SwitchPortDetails> & { name: string }

/** The state of a port: the state of its worst link. */
function PortState({ links, portSettingsId }: PortRow) {
  if (!portSettingsId) return <StateBadge tone="off">not configured</StateBadge>
  if (!links) return null
  const worst = (['down', 'unknown', 'coming_up', 'up'] as const).find((state) =>
    links.some((link) => link.state === state),
  )
  return worst ? <LinkStateBadge state={worst} /> : <StateBadge tone="off">no links</StateBadge>
}

const portColumns: ListColumn<PortRow>[] = [
  {
    id: 'name',
    header: 'port',
    sort: 'name',
    cell: ({ id, name }) => (
      <CellLink to="/system/networking/switch-ports/$switchPort" params={{ switchPort: id }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'state',
    header: 'link',
    width: 160,
    phone: 'first',
    labelled: true,
    cell: (port) => <PortState {...port} />,
  },
  {
    id: 'speed',
    header: 'speed',
    width: 112,
    phone: 'second',
    cell: ({ links }) => {
      const total = (links ?? []).reduce((sum, { speed }) => sum + gigabits(speed), 0)
      return total > 0 ? `${total} Gb/s` : null
    },
  },
  {
    id: 'settings',
    header: 'port settings',
    phone: 'second',
    labelled: true,
    cell: ({ portSettingsName }) =>
      portSettingsName ? (
        <CellLink
          to="/system/networking/port-settings/$portSettings"
          params={{ portSettings: portSettingsName }}
        >
          {portSettingsName}
        </CellLink>
      ) : null,
  },
  {
    id: 'applied',
    header: 'applied',
    sort: 'time_applied',
    width: 144,
    cell: ({ timeApplied }) => (timeApplied ? <TimeAgo date={timeApplied} /> : null),
  },
]

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
