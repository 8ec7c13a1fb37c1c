import type { SshKey } from '@steading/api/client'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { Description } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'

export const sshKeyColumns: Column<SshKey>[] = [
  {
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/settings/ssh-keys/$sshKey/edit" params={{ sshKey: name }}>
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
    optional: true,
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]
