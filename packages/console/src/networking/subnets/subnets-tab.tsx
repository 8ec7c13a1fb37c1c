import { Split } from 'lucide-react'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { useVpcParams, vpcTabs } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { subnetColumns } from './columns.tsx'
import { subnetListDefinition } from './queries.ts'
import { useSubnetActions } from './subnet-actions.tsx'

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
