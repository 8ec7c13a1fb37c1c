import type {
  MulticastGroup,
  MulticastGroupMember,
  MulticastGroupMemberDetails,
} from '@steading/api/client'
import { Cpu } from 'lucide-react'
import { useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { Card, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { CopyableId } from '../../ui/copy-button.tsx'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import { CellLink } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Truncate } from '../../ui/text.tsx'
import { SourcesCell, MulticastStateBadge } from './cells.tsx'
import { useLeaveGroup } from './membership.tsx'
import { multicastMembersQuery } from './queries.ts'

/** Names are included if the control plane has searched lists. */
type Member = MulticastGroupMember & Partial<MulticastGroupMemberDetails>

const columns: Column<Member>[] = [
  {
    id: 'instance',
    header: 'instance',
    cell: ({ instanceId, instanceName, projectName }) =>
      instanceName && projectName ? (
        <CellLink
          to="/projects/$project/instances/$instance/networking"
          params={{ project: projectName, instance: instanceName }}
        >
          {instanceName}
        </CellLink>
      ) : (
        <CopyableId id={instanceId} />
      ),
  },
  {
    id: 'project',
    header: 'project',
    phone: 'second',
    labelled: true,
    cell: ({ projectName }) => (projectName ? <Truncate text={projectName} /> : null),
  },
  {
    id: 'state',
    header: 'state',
    width: 128,
    phone: 'first',
    cell: ({ state }) => <MulticastStateBadge state={state} />,
  },
  {
    id: 'sources',
    header: 'sources',
    width: 224,
    cell: ({ sourceIps }) => <SourcesCell sourceIps={sourceIps} any={sourceIps.length === 0} />,
  },
]

/** The members of a group in the silo of the user. */
export function MembersCard({ group }: { group: MulticastGroup }) {
  const [search, setSearch] = useState('')
  return (
    <Card
      title="Members"
      description="Instances of this silo in the group. Members in other silos are not shown."
      actions={
        useCapability('lists') && (
          <SearchField label="Search members" value={search} onChange={setSearch} />
        )
      }
    >
      <FoundMembers key={search} group={group} search={search} />
    </Card>
  )
}

function FoundMembers({ group, search }: { group: MulticastGroup; search: string }) {
  const refetchInterval = useLivePolling(10_000)
  const { pagination, ...read } = usePages<Member>((token) => ({
    ...multicastMembersQuery(group.id, search, token),
    refetchInterval,
  }))
  const leave = useLeaveGroup()
  if (read.rows?.length === 0 && search) return <CardEmpty title="No members match" />
  return (
    <>
      <LoadedTable
        what="The members"
        label="Members"
        columns={columns}
        read={read}
        skeletonRows={3}
        actions={({ instanceName, projectName }: Member) =>
          instanceName && projectName
            ? [
                {
                  label: 'Leave group',
                  calls: 'instanceMulticastGroupLeave',
                  danger: true,
                  onAction: () =>
                    leave({
                      instance: instanceName,
                      project: projectName,
                      group: { id: group.id, label: group.name },
                    }),
                },
              ]
            : []
        }
        empty={{
          icon: Cpu,
          title: 'No members in this silo',
          body: 'Instances join on their Networking tab',
        }}
      />
      <Pagination {...pagination} />
    </>
  )
}
