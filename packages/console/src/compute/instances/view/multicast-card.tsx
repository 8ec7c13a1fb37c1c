import type { MulticastGroupMember } from '@steading/api/client'
import { INSTANCE_MAX_MULTICAST_GROUPS, multicastMessages } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLivePolling } from '../../../data/live.ts'
import { AddressCell } from '../../../ui/cells.tsx'
import { useInstanceParams } from '../queries.ts'
import { SourcesCell, MulticastStateBadge } from '../../../networking/multicast-groups/cells.tsx'
import { useLeaveGroup } from '../../../networking/multicast-groups/membership.tsx'
import {
  instanceMulticastGroupsQuery,
  multicastGroupsQuery,
  useMulticastOff,
} from '../../../networking/multicast-groups/queries.ts'
import { LoadError } from '../../../page/load-error.tsx'
import { ActionButtons } from '../../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/column.ts'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { CellLink } from '../../../ui/link.tsx'
import { SkeletonCell, Table } from '../../../ui/table.tsx'
import type { JoinDialog } from './join-multicast-group.tsx'

const JoinModal = lazyPart(() => import('./join-multicast-group.tsx'))

/**
 * The name of a member's group. Members carry only the ID of their group. The name comes from the
 * list, where a deleted group is just missing; a read of the group alone would fail.
 */
function GroupCell({ member }: { member: MulticastGroupMember }) {
  const { data, isPending } = useQuery(multicastGroupsQuery)
  if (isPending) return <SkeletonCell />
  const known = data?.items.find(({ id }) => id === member.multicastGroupId)
  const group = known?.name ?? member.multicastGroupId
  return (
    <CellLink to="/multicast-groups/$group" params={{ group }}>
      {group}
    </CellLink>
  )
}

const columns: Column<MulticastGroupMember>[] = [
  { id: 'group', header: 'group', cell: (member) => <GroupCell member={member} /> },
  {
    id: 'ip',
    header: 'multicast IP',
    width: 216,
    phone: 'second',
    cell: ({ multicastIp }) => <AddressCell address={multicastIp} />,
  },
  {
    id: 'sources',
    header: 'sources',
    width: 224,
    cell: ({ sourceIps }) => <SourcesCell sourceIps={sourceIps} any={sourceIps.length === 0} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 128,
    phone: 'first',
    cell: ({ state }) => <MulticastStateBadge state={state} />,
  },
]

export default function MulticastCard() {
  const params = useInstanceParams()
  const { data, error, refetch } = useQuery({
    ...instanceMulticastGroupsQuery(params),
    refetchInterval: useLivePolling(10_000),
  })
  const off = useMulticastOff()
  const leave = useLeaveGroup()
  const [joining, setJoining] = useState<JoinDialog>()
  const close = () => setJoining(undefined)
  const isFull = (data?.items.length ?? 0) >= INSTANCE_MAX_MULTICAST_GROUPS
  return (
    <Card
      title="Multicast groups"
      actions={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Join multicast group',
              calls: 'instanceMulticastGroupJoin',
              disabledReason: off ?? (isFull && multicastMessages.tooMany),
              onAction: () => setJoining({}),
            },
          ]}
        />
      }
    >
      {error && !data ? (
        <LoadError what="The multicast groups" error={error} onRetry={refetch} />
      ) : (
        <Table
          label="Multicast groups"
          columns={columns}
          rows={data?.items}
          actions={(member) => [
            {
              label: 'Edit sources',
              calls: 'instanceMulticastGroupJoin',
              disabledReason: off,
              onAction: () => setJoining({ member }),
            },
            {
              label: 'Leave',
              calls: 'instanceMulticastGroupLeave',
              danger: true,
              onAction: () =>
                leave({
                  ...params,
                  group: { id: member.multicastGroupId, label: member.multicastIp },
                }),
            },
          ]}
          empty={
            <CardEmpty
              title="No multicast groups"
              body={off ?? 'Join a group to receive packets sent to its address'}
            />
          }
        />
      )}
      <DialogPart onDismiss={close}>
        {joining && <JoinModal params={params} {...joining} onDismiss={close} />}
      </DialogPart>
    </Card>
  )
}
