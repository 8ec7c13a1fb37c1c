import type { Host } from '@steading/api/client'
import { Network } from 'lucide-react'
import type { ListColumn } from '../../page/columns.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { CellLink } from '../../ui/link.tsx'
import { Truncate } from '../../ui/text.tsx'
import { InventoryTab } from '../inventory/tab.tsx'
import { useHostActions } from './host-actions.tsx'
import { HostStateBadge, worstFinding } from './host-state.tsx'
import { hostListDefinition } from './queries.ts'

const columns: ListColumn<Host>[] = [
  { id: 'name', width: 192 },
  {
    id: 'address',
    header: 'address',
    sort: 'address',
    phone: 'second',
    cell: ({ address }) => <Truncate text={address} className="font-mono" />,
  },
  { id: 'state', width: 176, cell: HostStateBadge },
  {
    id: 'finding',
    header: 'finding',
    cell: (host) => {
      const finding = worstFinding(host)
      return finding ? <Truncate text={finding.detail} /> : null
    },
  },
  {
    id: 'sled',
    header: 'sled',
    width: 144,
    spare: 1,
    cell: ({ sledId, serial }) =>
      sledId && serial ? (
        <CellLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId }}>
          {serial}
        </CellLink>
      ) : null,
  },
  { id: 'created', optional: true },
]

const hosts = resourceList({
  list: hostListDefinition,
  noun: 'host',
  icon: Network,
  path: '/system/inventory/hosts',
  item: '/system/inventory/hosts/$host',
  byId: true,
  columns,
  create: { label: 'Add host', calls: 'hostCreate' },
  busy: ({ state, checking }) => checking || state === 'joining' || state === 'leaving',
  empty: {
    body: 'A host is a machine with libvirt that runs instances. Prepare its libvirt, and add it by its address: it is checked, and then becomes a sled',
  },
})

export const HostsTab = () => (
  <InventoryTab tab="hosts">
    <ResourceTab of={hosts} actions={useHostActions()} />
  </InventoryTab>
)
