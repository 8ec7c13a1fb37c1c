import { RadioTower } from 'lucide-react'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { groupColumns } from './columns.tsx'
import { type GroupRow, multicastGroupListDefinition } from './queries.ts'
import { multicastDocs, MulticastOff } from './membership.tsx'

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
