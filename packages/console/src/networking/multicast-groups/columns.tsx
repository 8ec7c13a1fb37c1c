import { createdColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { IpCell, SourcesCell } from './cells.tsx'
import type { GroupRow } from './list.ts'
import { MulticastStateBadge } from './state-badge.tsx'

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
    cell: ({ multicastIp }) => <IpCell ip={multicastIp} />,
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
