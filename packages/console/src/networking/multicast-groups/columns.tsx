import { createdColumn } from '../../page/columns.tsx'
import { AddressCell } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { SourcesCell, MulticastStateBadge } from './cells.tsx'
import type { GroupRow } from './queries.ts'

export const groupColumns: Column<GroupRow>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/multicast-groups/$group" params={{ group: name }}>
        {name}
      </CellLink>
    ),
  },
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
  createdColumn,
]
