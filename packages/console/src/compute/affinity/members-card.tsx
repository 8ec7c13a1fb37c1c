import type { AntiAffinityGroupMember } from '@steading/api/client'
import { AFFINITY_GROUP_MAX_MEMBERS } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { InstanceStateBadge } from '../instances/instance-cells.tsx'
import { projectInstancesQuery } from '../instances/queries.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { CopyableId } from '../../ui/copy-button.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import { Table } from '../../ui/table.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import type { GroupParams } from './group-kinds.ts'
import { groupNoun } from './group-labels.ts'
import { memberAdditions, memberRemovals, useRemoveFromGroup } from './membership.tsx'
import { membersQuery, useGroupParams } from './queries.ts'

const AddMemberModal = lazyPart(() => import('./add-member.tsx'))

type Member = AntiAffinityGroupMember['value']
/** A member has no ID of its own; the ID of the instance has a column. */
type Row = { member: Member }

const memberColumns = (project: string): Column<Row>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ member: { name } }) => (
      <CellLink
        to="/projects/$project/instances/$instance/settings"
        params={{ project, instance: name }}
      >
        {name}
      </CellLink>
    ),
  },
  {
    id: 'state',
    header: 'state',
    width: 152,
    phone: 'first',
    cell: ({ member }) => <InstanceStateBadge state={member.runState} />,
  },
  {
    id: 'id',
    header: 'ID',
    width: 256,
    phone: 'second',
    cell: ({ member }) => <CopyableId id={member.id} />,
  },
]

export function MembersCard() {
  const params = useGroupParams()
  const { kind, project } = params
  const instances = useInstances(project)
  const members = usePrefetchedQuery(membersQuery(params)).data.items
  const columns = useMemo(() => memberColumns(project), [project])
  const [adding, setAdding] = useState(false)
  const actions = useMemberActions(params)
  const rows = members.map(({ value }) => {
    // States come from the list of instances, which is refetched when an instance changes.
    const { runState = value.runState } = instances.find(({ id }) => id === value.id) ?? {}
    return { member: { ...value, runState } }
  })
  const isMember = (id: string) => members.some(({ value }) => value.id === id)
  const candidates = instances.filter(({ id }) => !isMember(id))
  return (
    <Card
      title="Members"
      description={`Instances in this ${groupNoun(kind)}`}
      actions={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Add instance',
              calls: memberAdditions[kind],
              disabledReason: reasonAgainstAdding(
                members.length,
                instances.length,
                candidates.length,
              ),
              onAction: () => setAdding(true),
            },
          ]}
        />
      }
    >
      <Table
        label="Members"
        columns={columns}
        rows={rows}
        rowKey={({ member }) => member.id}
        actions={actions}
        empty={
          <CardEmpty title="No group members" body="Add an instance to the group to see it here" />
        }
      />
      <DialogPart onDismiss={() => setAdding(false)}>
        {adding && (
          <AddMemberModal
            params={params}
            candidates={candidates}
            onDismiss={() => setAdding(false)}
          />
        )}
      </DialogPart>
    </Card>
  )
}

/** Without live events, members are polled. */
function useInstances(project: string) {
  const query = projectInstancesQuery(project)
  useQuery({ ...query, refetchInterval: useLivePolling(10_000) })
  return usePrefetchedQuery(query).data.items
}

function reasonAgainstAdding(members: number, instances: number, candidates: number) {
  if (members >= AFFINITY_GROUP_MAX_MEMBERS) return 'Maximum number of members reached'
  if (instances === 0) return 'No instances available'
  return candidates === 0 && 'All instances are already in this group'
}

function useMemberActions({ kind, project, group }: GroupParams) {
  const remove = useRemoveFromGroup(kind, project)
  const words = groupNoun(kind)
  return ({ member: { name } }: Row) => [
    {
      label: 'Remove from group',
      calls: memberRemovals[kind],
      danger: true,
      onAction: () => {
        const { action, code } = remove({ instance: name, group })
        confirmAction({
          title: `Remove instance from ${words}`,
          body: (
            <>
              Are you sure you want to remove <Strong>{name}</Strong> from the {words}{' '}
              <Strong>{group}</Strong>?
            </>
          ),
          errorTitle: `Error removing ${name}`,
          danger: true,
          code,
          action: async () => {
            await action()
            addToast({
              content: (
                <>
                  Member <b>{name}</b> removed from {words} <b>{group}</b>
                </>
              ),
            })
          },
        })
      },
    },
  ]
}
