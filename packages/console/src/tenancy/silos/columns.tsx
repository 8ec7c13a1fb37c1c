import type { SiloIdentityMode, Silo } from '@steading/api/client'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { YesNo } from '../../ui/yes-no.tsx'
import { siloHome } from './queries.ts'

export const IdentityModeTag = ({ mode }: { mode: SiloIdentityMode }) => (
  <Tag>{mode.replace('_', ' ')}</Tag>
)

export const siloColumns: Column<Silo>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to={siloHome} params={{ silo: name }}>
        {name}
      </CellLink>
    ),
  },
  { ...descriptionColumn, phone: 'second' },
  {
    id: 'discoverable',
    header: 'discoverable',
    width: 128,
    cell: ({ discoverable }) => <YesNo value={discoverable} />,
  },
  {
    id: 'identity-mode',
    header: 'Identity mode',
    width: 144,
    phone: 'first',
    cell: ({ identityMode }) => <IdentityModeTag mode={identityMode} />,
  },
  createdColumn,
]
