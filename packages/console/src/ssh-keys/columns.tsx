import type { SshKey } from '@steading/api/client'
import { CellLink } from '../ui/link.tsx'
import type { Column } from '../ui/table.tsx'
import { Description } from '../ui/text.tsx'

export const sshKeyColumns: Column<SshKey>[] = [
  {
    header: 'name',
    cell: ({ name }) => (
      <CellLink to="/settings/ssh-keys/$sshKey/edit" params={{ sshKey: name }}>
        {name}
      </CellLink>
    ),
  },
  { header: 'description', cell: ({ description }) => <Description text={description} /> },
]
