import type { GroupDetails } from '@steading/api/client'
import { createdColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { sourceColumn } from './source.tsx'

export const groupColumns: Column<GroupDetails>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ id, displayName }) => (
      <CellLink to="/groups/$group" params={{ group: id }}>
        {displayName}
      </CellLink>
    ),
  },
  {
    id: 'members',
    header: 'members',
    width: 112,
    align: 'end',
    phone: 'second',
    labelled: true,
    cell: ({ members }) => members,
  },
  sourceColumn,
  createdColumn,
]
