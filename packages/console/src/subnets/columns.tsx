import type { VpcSubnet } from '@steading/api/client'
import { createdColumn, descriptionColumn } from '../page/columns.tsx'
import type { Column } from '../ui/column.ts'
import { Mono, Truncate } from '../ui/text.tsx'

export const subnetColumns: Column<VpcSubnet>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => <Truncate text={name} className="font-medium" />,
  },
  descriptionColumn,
  {
    id: 'ip-block',
    header: 'IP Block',
    width: 248,
    phone: 'second',
    cell: ({ ipv4Block, ipv6Block }) => (
      <span className="flex flex-col gap-0.5 py-1.5">
        <Mono>{ipv4Block}</Mono>
        <Mono>{ipv6Block}</Mono>
      </span>
    ),
  },
  createdColumn,
]
