import type { ListColumn } from '../../page/columns.tsx'
import { AddressCell } from '../../ui/cells.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { SourcesCell, MulticastStateBadge } from './cells.tsx'
import type { GroupRow } from './queries.ts'

export const groupColumns: ListColumn<GroupRow>[] = [
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
