import { RadioTower } from 'lucide-react'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { type GroupRow, multicastGroupListDefinition } from './queries.ts'
import { multicastDocs, MulticastOff } from './membership.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { AddressCell } from '../../ui/cells.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { SourcesCell, MulticastStateBadge } from './cells.tsx'

const groupColumns: ListColumn<GroupRow>[] = [
  'name',
  {
    id: 'ip',
    header: 'multicast IP',
    sort: 'multicast_ip',
    width: 216,
    phone: 'second',
    cell: ({ multicastIp }) => <AddressCell address={multicastIp} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 128,
    phone: 'first',
    cell: ({ state }) => <MulticastStateBadge state={state} />,
  },
  {
    id: 'members',
    header: 'members',
    width: 112,
    align: 'end',
    cell: ({ memberCount }) => memberCount ?? <EmptyCell />,
  },
  {
    id: 'sources',
    header: 'sources',
    width: 192,
    cell: ({ sourceIps, hasAnySourceMember }) => (
      <SourcesCell sourceIps={sourceIps} any={hasAnySourceMember} />
    ),
  },
  'created',
]

const groups = resourceList({
  list: multicastGroupListDefinition,
  noun: 'multicast group',
  icon: RadioTower,
  docs: multicastDocs,
  path: '/multicast-groups',
  item: '/multicast-groups/$group',
  columns: groupColumns,
  empty: {
    body: 'A group appears here when an instance joins it, from the Networking tab of the instance',
  },
})

const actions = ({ multicastIp }: GroupRow) => [copyAction('Copy multicast IP', multicastIp)]

export const MulticastGroupsPage = () => (
  <ResourceList
    of={groups}
    actions={actions}
    above={
      <div className="px-(--gutter) pb-4 empty:hidden">
        <MulticastOff />
      </div>
    }
  />
)
