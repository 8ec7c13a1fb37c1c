import type { AntiAffinityGroup } from '@steading/api/client'
import { instanceCannot } from '@steading/api/rules'
import { useMemo, useState } from 'react'
import { useRemoveFromGroup } from '../affinity/membership.tsx'
import { PolicyTag, policyHelp } from '../affinity/policy.tsx'
import { groupsQuery, instanceGroupsQuery } from '../affinity/queries.ts'
import { usePrefetchedQuery } from '../data/api.ts'
import { useInstance, useInstanceParams, type InstanceParams } from '../instances/queries.ts'
import { ActionButtons } from '../ui/action-buttons.tsx'
import { descriptionColumn } from '../page/columns.tsx'
import { Card, CardEmpty } from '../ui/card.tsx'
import type { Column } from '../ui/column.ts'
import { confirmAction } from '../ui/confirm.tsx'
import { DialogPart } from '../ui/dialog-part.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import { CellLink } from '../ui/link.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { Table } from '../ui/table.tsx'
import { Strong } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
import { Tip } from '../ui/tooltip.tsx'

const AddToGroupModal = lazyPart(() => import('./add-to-group.tsx'))

const groupColumns = (project: string): Column<AntiAffinityGroup>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => (
      <CellLink
        to="/projects/$project/affinity/$antiAffinityGroup"
        params={{ project, antiAffinityGroup: name }}
      >
        {name}
      </CellLink>
    ),
  },
  descriptionColumn,
  {
    id: 'policy',
    header: 'Policy',
    width: 120,
    phone: 'first',
    tip: <Tip>{policyHelp}</Tip>,
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
]

export function AntiAffinityCard() {
  const params = useInstanceParams()
  const { runState } = useInstance(params)
  const all = usePrefetchedQuery(groupsQuery(params.project)).data.items
  const groups = usePrefetchedQuery(instanceGroupsQuery(params)).data.items
  const others = all.filter(({ id }) => !groups.some((group) => group.id === id))
  const columns = useMemo(() => groupColumns(params.project), [params.project])
  const actions = useGroupRowActions(params)
  const [adding, setAdding] = useState(false)
  return (
    <Card
      title="Anti-affinity groups"
      actions={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Add to group',
              calls: 'antiAffinityGroupMemberInstanceAdd',
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
        label="Anti-affinity groups"
        columns={columns}
        rows={groups}
        actions={actions}
        copyIdLabel="Copy group ID"
        empty={
          <CardEmpty
            title="No anti-affinity groups"
            body="This instance is not a member of any anti-affinity groups"
          />
        }
      />
      <DialogPart onDismiss={() => setAdding(false)}>
        {adding && (
          <AddToGroupModal params={params} groups={others} onDismiss={() => setAdding(false)} />
        )}
      </DialogPart>
    </Card>
  )
}

function useGroupRowActions({ project, instance }: InstanceParams) {
  const remove = useRemoveFromGroup(project)
  return ({ name }: AntiAffinityGroup): MenuAction[] => [
    {
      label: 'Remove instance from group',
      calls: 'antiAffinityGroupMemberInstanceDelete',
      danger: true,
      onAction: () => {
        const { action, code } = remove({ instance, antiAffinityGroup: name })
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
                  Instance <b>{instance}</b> removed from anti-affinity group <b>{name}</b>
                </>
              ),
            })
          },
        })
      },
    },
  ]
}
