import type { VpcSubnet } from '@steading/api/client'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { Mono } from '../../ui/text.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import { RouterName } from './routers.tsx'

export const subnetColumns = (params: VpcParams): Column<VpcSubnet>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink
        to="/projects/$project/vpcs/$vpc/subnets/$subnet/edit"
        params={{ ...params, subnet: name }}
      >
        {name}
      </CellLink>
    ),
  },
  descriptionColumn,
  {
    id: 'ip-block',
    header: 'IP Block',
    sort: 'ipv4_block',
    width: 216,
    phone: 'second',
    cell: ({ ipv4Block, ipv6Block }) => (
      <span className="flex flex-col gap-0.5 py-1.5">
        <Mono>{ipv4Block}</Mono>
        <Mono>{ipv6Block}</Mono>
      </span>
    ),
  },
  {
    id: 'custom-router',
    header: 'Custom Router',
    width: 152,
    phone: 'second',
    labelled: true,
    cell: ({ customRouterId }) =>
      customRouterId ? <RouterName params={params} id={customRouterId} /> : null,
  },
  createdColumn,
]
