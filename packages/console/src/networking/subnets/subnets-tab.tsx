import { Split } from 'lucide-react'
import type { VpcSubnet } from '@steading/api/client'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { useVpcParams, vpcTabs, type VpcParams } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { subnetListDefinition } from './queries.ts'
import { useSubnetActions } from './subnet-actions.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { Mono } from '../../ui/text.tsx'
import { RouterName } from './routers.tsx'

const subnetColumns = (params: VpcParams): ListColumn<VpcSubnet>[] => [
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

const subnets = resourceList({
  list: subnetListDefinition,
  noun: 'subnet',
  icon: Split,
  label: 'VPC subnets',
  path: '/projects/$project/vpcs/$vpc/subnets',
  item: '/projects/$project/vpcs/$vpc/subnets/$subnet/edit',
  quickGroup: 'Edit VPC subnet',
  columns: subnetColumns,
  bulk: true,
  create: { label: 'New VPC subnet', calls: 'vpcSubnetCreate' },
  empty: { title: 'No VPC subnets', body: 'Create a VPC subnet to see it here' },
})

export function SubnetsTab() {
  const params = useVpcParams()
  return (
    <TabPanel of={vpcTabs} tab="VPC Subnets">
      <ResourceTab of={subnets} within={params} actions={useSubnetActions(params)} />
    </TabPanel>
  )
}
