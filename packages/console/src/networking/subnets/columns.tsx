import type { VpcSubnet } from '@steading/api/client'
import type { ListColumn } from '../../page/columns.tsx'
import { Mono } from '../../ui/text.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import { RouterName } from './routers.tsx'

export const subnetColumns = (params: VpcParams): ListColumn<VpcSubnet>[] => [
  'name',
  'description',
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
  'created',
]
