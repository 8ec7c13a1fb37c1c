import type { SiloIdentityMode, Silo } from '@steading/api/client'
import type { ListColumn } from '../../page/columns.tsx'
import { Tag } from '../../ui/tag.tsx'
import { YesNo } from '../../ui/yes-no.tsx'

export const IdentityModeTag = ({ mode }: { mode: SiloIdentityMode }) => (
  <Tag>{mode.replace('_', ' ')}</Tag>
)

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
    cell: ({ identityMode }) => <IdentityModeTag mode={identityMode} />,
  },
  'created',
]
