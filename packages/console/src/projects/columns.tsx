import type { Project } from '@steading/api/client'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { Description } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'

export const projectColumns: Column<Project>[] = [
  {
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/projects/$project/instances" params={{ project: name }}>
        {name}
      </CellLink>
    ),
  },
  {
    header: 'description',
    sort: 'description',
    cell: ({ description }) => <Description text={description} />,
  },
  {
    header: 'created',
    sort: 'time_created',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]
