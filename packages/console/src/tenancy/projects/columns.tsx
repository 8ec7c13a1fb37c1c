import type { Project } from '@steading/api/client'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'

export const projectColumns: Column<Project>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/projects/$project/instances" params={{ project: name }}>
        {name}
      </CellLink>
    ),
  },
  { ...descriptionColumn, phone: 'second' },
  createdColumn,
]
