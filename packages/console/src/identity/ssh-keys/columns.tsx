import type { SshKey } from '@steading/api/client'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'

export const sshKeyColumns: Column<SshKey>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/settings/ssh-keys/$sshKey/edit" params={{ sshKey: name }}>
        {name}
      </CellLink>
    ),
  },
  { ...descriptionColumn, phone: 'second' },
  { ...createdColumn, optional: true },
]
