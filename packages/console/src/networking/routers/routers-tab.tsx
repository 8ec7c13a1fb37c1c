import { Outlet } from '@tanstack/react-router'
import { Plus, Waypoints } from 'lucide-react'
import { useMemo } from 'react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { useVpcParams, vpcTabs } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { routerColumns } from './columns.tsx'
import { routerListDefinition, allRoutersQuery } from './queries.ts'
import { useRouterActions } from './router-actions.tsx'

const noun = { one: 'router', many: 'routers' }

export function RoutersTab() {
  const { project, vpc } = useVpcParams()
  const params = useMemo(() => ({ project, vpc }), [project, vpc])
  const columns = useMemo(() => routerColumns(params), [params])
  const list = useListPage(routerListDefinition, params, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const bulk = useBulk('vpc_router', list, project, { vpc })
  const actions = useRouterActions(params)
  useListQuickActions(
    useMemo(
      () => ({
        all: allRoutersQuery(params),
        group: 'Go to router',
        pathOf: (router: string) =>
          pathTo('/projects/$project/vpcs/$vpc/routers/$router', { ...params, router }),
      }),
      [params],
    ),
  )
  return (
    <TabPanel of={vpcTabs} tab="Routers">
      <ListTab
        label="Routers"
        icon={Waypoints}
        noun={noun}
        create={{
          label: 'New router',
          calls: 'vpcRouterCreate',
          icon: Plus,
          path: pathTo('/projects/$project/vpcs/$vpc/routers-new', params),
        }}
        list={list}
        bulk={bulk}
        actions={actions}
        empty={{
          title: 'No VPC routers',
          body: 'Create a router to see it here',
          create: 'New router',
        }}
      />
      <Outlet />
    </TabPanel>
  )
}
