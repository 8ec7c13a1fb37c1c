import { RadioTower } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { copyAction } from '../../ui/menu-action.ts'
import { groupColumns } from './columns.tsx'
import { type GroupRow, multicastGroupListDefinition, multicastGroupsQuery } from './queries.ts'
import { multicastDocs, MulticastOff } from './membership.tsx'

const noun = { one: 'multicast group', many: 'multicast groups' }

const quickActions: ListQuickActions = {
  all: multicastGroupsQuery,
  group: 'Go to multicast group',
  pathOf: (group: string) => pathTo('/multicast-groups/$group', { group }),
}

const actions = ({ multicastIp }: GroupRow) => [copyAction('Copy multicast IP', multicastIp)]

export function MulticastGroupsPage() {
  const list = useListPage(multicastGroupListDefinition, {}, groupColumns, {
    refetchInterval: useLivePolling(10_000),
  })
  useListQuickActions(quickActions)
  return (
    <ListPage<GroupRow>
      title="Multicast Groups"
      label="Multicast groups"
      icon={RadioTower}
      noun={noun}
      docs={multicastDocs}
      reads={['multicastGroupList']}
      list={list}
      actions={actions}
      above={
        <div className="px-(--gutter) pb-4 empty:hidden">
          <MulticastOff />
        </div>
      }
      empty={{
        title: 'No multicast groups',
        body: 'A group appears here when an instance joins it, from the Networking tab of the instance',
      }}
    />
  )
}
