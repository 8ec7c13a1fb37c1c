import type { IdentitySource } from '@steading/api/client'
import type { Column } from '../../ui/column.ts'
import { Tag } from '../../ui/tag.tsx'

const labels: Record<IdentitySource, string> = { local: 'Local', saml: 'SAML', scim: 'SCIM' }

/** Where a user or group comes from. */
export const SourceTag = ({ source }: { source: IdentitySource }) => <Tag>{labels[source]}</Tag>

export const sourceColumn: Column<{ id: string; source: IdentitySource }> = {
  id: 'source',
  header: 'source',
  width: 96,
  phone: 'second',
  labelled: true,
  cell: SourceTag,
}
