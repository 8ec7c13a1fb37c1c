import { instanceCannot } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Group, GroupKind } from '../../affinity/group-kinds.ts'
import { groupTitle, groupNoun } from '../../affinity/group-labels.ts'
import { GroupLink, PolicyTag, policyHelps } from '../../affinity/group-cells.tsx'
import { memberAdditions, memberRemovals, useRemoveFromGroup } from '../../affinity/membership.tsx'
import { groupsQuery, instanceGroupsQuery, lacksGroups } from '../../affinity/queries.ts'
import { useInstance, useInstanceParams, type InstanceParams } from '../queries.ts'
import { LoadError } from '../../../page/load-error.tsx'
import { ActionButtons } from '../../../ui/action-buttons.tsx'
import { descriptionColumn } from '../../../page/columns.tsx'
import { Card, CardEmpty } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/column.ts'
import { confirmAction } from '../../../ui/confirm.tsx'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import type { MenuAction } from '../../../ui/menu-action.ts'
import { Table } from '../../../ui/table.tsx'
import { Strong } from '../../../ui/text.tsx'
import { addToast } from '../../../ui/toasts.tsx'
import { HelpTip } from '../../../ui/tooltip.tsx'

const AddToGroupModal = lazyPart(() => import('./add-to-group.tsx'))

const groupColumns = (kind: GroupKind, project: string): Column<Group>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => <GroupLink kind={kind} project={project} group={name} />,
  },
  descriptionColumn,
  {
    id: 'policy',
    header: 'Policy',
    width: 120,
    phone: 'first',
    tip: <HelpTip>{policyHelps[kind]}</HelpTip>,
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
]

/** The instance's groups of one kind; nothing if the control plane lacks such groups. */
export function GroupsCard({ kind }: { kind: GroupKind }) {
  const params = useInstanceParams()
  const { runState } = useInstance(params)
  const inProject = useQuery(groupsQuery(kind, params.project))
  const ofInstance = useQuery(instanceGroupsQuery(kind, params))
  const columns = useMemo(() => groupColumns(kind, params.project), [kind, params.project])
  const actions = useGroupRowActions(kind, params)
  const [adding, setAdding] = useState(false)
  const title = `${groupTitle(kind)}s`
  const error = inProject.error ?? ofInstance.error
  if (!inProject.data || !ofInstance.data) {
    if (!error || (kind === 'affinity_group' && lacksGroups(error))) return null
    const retry = () => Promise.all([inProject.refetch(), ofInstance.refetch()])
    return (
      <Card title={title}>
        <LoadError what={`The ${groupNoun(kind)}s`} error={error} onRetry={retry} />
      </Card>
    )
  }
  const all = inProject.data.items
  const groups = ofInstance.data.items
  const others = all.filter(({ id }) => !groups.some((group) => group.id === id))
  return (
    <Card
      title={title}
      actions={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Add to group',
              calls: memberAdditions[kind],
              disabledReason:
                instanceCannot('addToAffinityGroup', runState) ||
                (all.length === 0 && 'No groups found') ||
                (others.length === 0 && 'Instance is already in all groups'),
              onAction: () => setAdding(true),
            },
          ]}
        />
      }
    >
      <Table
        label={title}
        columns={columns}
        rows={groups}
        actions={actions}
        copyIdLabel="Copy group ID"
        empty={
          <CardEmpty
            title={`No ${groupNoun(kind)}s`}
            body={`This instance is not a member of any ${groupNoun(kind)}s`}
          />
        }
      />
      <DialogPart onDismiss={() => setAdding(false)}>
        {adding && (
          <AddToGroupModal
            kind={kind}
            params={params}
            groups={others}
            onDismiss={() => setAdding(false)}
          />
        )}
      </DialogPart>
    </Card>
  )
}

function useGroupRowActions(kind: GroupKind, { project, instance }: InstanceParams) {
  const remove = useRemoveFromGroup(kind, project)
  return ({ name }: Group): MenuAction[] => [
    {
      label: 'Remove instance from group',
      calls: memberRemovals[kind],
      danger: true,
      onAction: () => {
        const { action, code } = remove({ instance, group: name })
        confirmAction({
          title: 'Remove instance from group',
          body: (
            <>
              Are you sure you want to remove instance <Strong>{instance}</Strong> from group{' '}
              <Strong>{name}</Strong>?
            </>
          ),
          errorTitle: 'Error removing instance from group',
          danger: true,
          code,
          action: async () => {
            await action()
            addToast({
              content: (
                <>
                  Instance <b>{instance}</b> removed from {groupNoun(kind)} <b>{name}</b>
                </>
              ),
            })
          },
        })
      },
    },
  ]
}
