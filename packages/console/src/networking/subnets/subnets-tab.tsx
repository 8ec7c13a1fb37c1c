import { Outlet } from '@tanstack/react-router'
import { Plus, Split } from 'lucide-react'
import { useMemo } from 'react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { useVpcParams, vpcTabs } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { subnetColumns } from './columns.tsx'
import { subnetListDefinition, vpcSubnetsQuery } from './queries.ts'
import { useSubnetActions } from './subnet-actions.tsx'

const noun = { one: 'subnet', many: 'subnets' }

export function SubnetsTab() {
  const { project, vpc } = useVpcParams()
  const params = useMemo(() => ({ project, vpc }), [project, vpc])
  const columns = useMemo(() => subnetColumns(params), [params])
  const list = useListPage(subnetListDefinition, params, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const actions = useSubnetActions(params)
  const bulk = useBulk('vpc_subnet', list, project, { vpc })
  useListQuickActions(
    useMemo(
      () => ({
        all: vpcSubnetsQuery(params),
        group: 'Edit VPC subnet',
        pathOf: (subnet: string) =>
          pathTo('/projects/$project/vpcs/$vpc/subnets/$subnet/edit', { ...params, subnet }),
      }),
      [params],
    ),
  )
  return (
    <TabPanel of={vpcTabs} tab="VPC Subnets">
      <ListTab
        label="VPC subnets"
        icon={Split}
        noun={noun}
        create={{
          label: 'New VPC subnet',
          calls: 'vpcSubnetCreate',
          icon: Plus,
          path: pathTo('/projects/$project/vpcs/$vpc/subnets-new', params),
        }}
        list={list}
        actions={actions}
        bulk={bulk}
        empty={{
          title: 'No VPC subnets',
          body: 'Create a VPC subnet to see it here',
          create: 'New VPC subnet',
        }}
      />
      <Outlet />
    </TabPanel>
  )
}
