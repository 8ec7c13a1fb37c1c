import { ResourceHeader } from '../../page/resource-header.tsx'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Group } from 'lucide-react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { useGroupActions } from './group-actions.tsx'
import { groupTitle } from './group-labels.ts'
import { MembersCard } from './members-card.tsx'
import { groupPurposes, GroupTypeTag, PolicyTag } from './group-cells.tsx'
import { groupQuery, membersQuery, useGroupParams } from './queries.ts'

/** The page of a group of either kind. */
export function AffinityGroupPage() {
  const params = useGroupParams()
  const { kind, project } = params
  const { data: group } = usePrefetchedQuery(groupQuery(params))
  const members = usePrefetchedQuery(membersQuery(params)).data.items
  const navigate = useNavigate()
  const actions = useGroupActions(project, () =>
    navigate({ to: '/projects/$project/affinity', params: { project } }),
  )
  const star = useStarAction(kind)
  const history = useHistoryAction(kind)
  const who = useWhoCan(kind, project)
  return (
    <>
      <ResourceHeader
        title={group.name}
        icon={<Group strokeWidth={1.5} aria-hidden />}
        kind={kind}
        thing={group}
      >
        <DocsPopover topic="affinity" summary={groupPurposes[kind]} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label={`${groupTitle(kind)} actions`}
          actions={[...star(group), ...history(group), ...who(group), ...actions(kind, group)]}
        />
      </ResourceHeader>
      <div className="flex flex-col gap-6 pb-6">
        <div className="px-(--gutter)">
          <PropertiesTable columns={2} rows={3}>
            <PropertiesTable.Row label="Type">
              <GroupTypeTag kind={kind} />
            </PropertiesTable.Row>
            <PropertiesTable.DescriptionRow description={group.description} />
            <PropertiesTable.Row label="Policy">
              <PolicyTag policy={group.policy} />
            </PropertiesTable.Row>
            <PropertiesTable.DateRow label="Created" date={group.timeCreated} />
            <PropertiesTable.Row label="Members">{members.length}</PropertiesTable.Row>
            <PropertiesTable.IdRow id={group.id} />
          </PropertiesTable>
        </div>
        <MembersCard />
      </div>
      <Outlet />
    </>
  )
}
