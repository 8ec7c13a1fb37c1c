import { createdColumn, descriptionColumn } from '../page/columns.tsx'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { Truncate } from '../ui/text.tsx'
import type { VpcRow } from './list.ts'
import { vpcHome } from './vpc-tabs.tsx'

export const vpcColumns = (project: string): Column<VpcRow>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to={vpcHome} params={{ project, vpc: name }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'dns-name',
    header: 'DNS name',
    sort: 'dns_name',
    width: 176,
    phone: 'second',
    cell: ({ dnsName }) => <Truncate text={dnsName} />,
  },
  descriptionColumn,
  createdColumn,
]
