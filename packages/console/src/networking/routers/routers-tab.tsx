import { Waypoints } from 'lucide-react'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { useVpcParams, vpcTabs } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { routerColumns } from './columns.tsx'
import { routerListDefinition } from './queries.ts'
import { useRouterActions } from './router-actions.tsx'

const routers = resourceList({
  list: routerListDefinition,
  noun: 'router',
  icon: Waypoints,
  path: '/projects/$project/vpcs/$vpc/routers',
  item: '/projects/$project/vpcs/$vpc/routers/$router',
  columns: routerColumns,
  bulk: true,
  create: { calls: 'vpcRouterCreate' },
  empty: { title: 'No VPC routers' },
})

export function RoutersTab() {
  const params = useVpcParams()
  return (
    <TabPanel of={vpcTabs} tab="Routers">
      <ResourceTab of={routers} within={params} actions={useRouterActions(params)} />
    </TabPanel>
  )
}
