import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Split } from 'lucide-react'
import { LoadedTable } from '../page/loaded-table.tsx'
import { copyAction } from '../ui/menu-action.ts'
import { useVpcParams } from '../vpcs/queries.ts'
import { VpcTab } from '../vpcs/vpc-tabs.tsx'
import { subnetColumns } from './columns.tsx'
import { vpcSubnetsQuery } from './queries.ts'

export function SubnetsTab() {
  const params = useVpcParams()
  const { data, error, refetch } = useQuery(vpcSubnetsQuery(params))
  return (
    <VpcTab tab="VPC Subnets">
      <LoadedTable
        what="The VPC subnets"
        label="VPC subnets"
        columns={subnetColumns}
        read={{ rows: data?.items, error, refetch }}
        actions={({ id }) => [copyAction('Copy ID', id)]}
        skeletonRows={2}
        empty={{
          icon: Split,
          title: 'No VPC subnets',
          body: 'Create a VPC subnet to see it here',
        }}
      />
      <Outlet />
    </VpcTab>
  )
}
