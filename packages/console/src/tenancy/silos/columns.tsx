import type { Silo } from '@steading/api/client'
import type { ListColumn } from '../../page/columns.tsx'
import { Tag } from '../../ui/tag.tsx'
import { YesNo } from '../../ui/yes-no.tsx'

export const siloColumns: ListColumn<Silo>[] = [
  'name',
  { id: 'description', phone: 'second' },
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
    cell: ({ identityMode }) => <Tag>{identityMode.replace('_', ' ')}</Tag>,
  },
  'created',
]
