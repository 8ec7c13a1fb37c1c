import type { Image } from '@steading/api/client'
import type { ListColumn } from '../../page/columns.tsx'
import { Truncate } from '../../ui/text.tsx'

export const imageColumns: ListColumn<Image>[] = [
  'name',
  'description',
  {
    id: 'os',
    header: 'OS',
    sort: 'os',
    width: 128,
    phone: 'second',
    cell: ({ os }) => (os ? <Truncate text={os} /> : null),
  },
  {
    id: 'version',
    header: 'version',
    sort: 'version',
    width: 112,
    phone: 'second',
    cell: ({ version }) => (version ? <Truncate text={version} /> : null),
  },
  { id: 'size', phone: 'first' },
  'created',
]
