import { ResourceHeader } from '../../page/resource-header.tsx'
import { useQuery } from '@tanstack/react-query'
import { RadioTower } from 'lucide-react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { AddressCell } from '../../ui/cells.tsx'
import { useLivePolling } from '../../data/live.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { PoolCell } from '../pools/pool-cell.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { SourcesCell, MulticastStateBadge } from './cells.tsx'
import { MembersCard } from './members-card.tsx'
import { multicastGroupQuery, useGroupParam } from './queries.ts'
import { multicastDocs } from './membership.tsx'

export function MulticastGroupPage() {
  const query = multicastGroupQuery(useGroupParam())
  useQuery({ ...query, refetchInterval: useLivePolling(10_000) })
  const { data: group } = usePrefetchedQuery(query)
  const star = useStarAction('multicast_group')
  const history = useHistoryAction('multicast_group')
  const who = useWhoCan('multicast_group', undefined)
  return (
    <>
      <ResourceHeader
        title={group.name}
        icon={<RadioTower strokeWidth={1.5} aria-hidden />}
        kind="multicast_group"
        thing={group}
      >
        <DocsPopover {...multicastDocs} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Multicast group actions"
          actions={[
            copyAction('Copy ID', group.id),
            ...star(group),
            ...history(group),
            ...who(group),
          ]}
        />
      </ResourceHeader>
      <div className="flex flex-col gap-6 pb-6">
        <div className="px-(--gutter)">
          <PropertiesTable columns={2} rows={3}>
            <PropertiesTable.Row label="State">
              <MulticastStateBadge state={group.state} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Multicast IP">
              <AddressCell address={group.multicastIp} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="IP pool">
              <PoolCell id={group.ipPoolId} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Sources">
              <SourcesCell sourceIps={group.sourceIps} any={group.hasAnySourceMember} />
            </PropertiesTable.Row>
            <PropertiesTable.DateRow label="Created" date={group.timeCreated} />
            <PropertiesTable.IdRow id={group.id} />
          </PropertiesTable>
        </div>
        <MembersCard group={group} />
      </div>
    </>
  )
}
