import { createRoute, redirect } from '@tanstack/react-router'
import { groupsQuery, instanceGroupsQuery } from '../affinity/queries.ts'
import { prefetch, prefetchInBackground, queryClient } from '../data/api.ts'
import { floatingIpsQuery } from '../floating-ips/queries.ts'
import {
  instanceDisksQuery,
  instanceExternalIpsQuery,
  instanceNicsQuery,
  subnetQuery,
  vpcQuery,
  type InstanceParams,
} from '../instances/queries.ts'
import { instanceRoute } from '../instances/routes.ts'
import { ipPoolsQuery } from '../ip-pools/queries.ts'
import { projectVpcsQuery } from '../network-interfaces/queries.ts'
import { lazyPage } from '../page/lazy-page.ts'

const home = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$project/instances/$instance/storage', params, replace: true })
  },
})

/** Loads the network interfaces, then their VPCs and subnets. */
async function prefetchNics(params: InstanceParams, { subnets }: { subnets: boolean }) {
  const nics = await queryClient.ensureQueryData({
    ...instanceNicsQuery(params),
    revalidateIfStale: true,
  })
  const named = subnets ? nics.items : nics.items.filter(({ primary }) => primary)
  const vpcs = new Set(named.map(({ vpcId }) => vpcId))
  const subnetIds = subnets ? new Set(named.map(({ subnetId }) => subnetId)) : []
  await prefetch(...[...vpcs].map(vpcQuery), ...[...subnetIds].map(subnetQuery))
}

const page = createRoute({
  getParentRoute: () => instanceRoute,
  id: 'tabs',
  component: lazyPage(() => import('./instance-page.tsx'), 'InstancePage'),
  loader: ({ params }) =>
    Promise.all([
      prefetch(instanceExternalIpsQuery(params)),
      prefetchNics(params, { subnets: false }),
    ]),
})

const storage = createRoute({
  getParentRoute: () => page,
  path: '/storage',
  component: lazyPage(() => import('./storage-tab.tsx'), 'StorageTab'),
  loader: ({ params }) => prefetch(instanceDisksQuery(params)),
  staticData: { crumb: 'Storage' },
})

const networking = createRoute({
  getParentRoute: () => page,
  path: '/networking',
  component: lazyPage(() => import('./networking-tab.tsx'), 'NetworkingTab'),
  loader: ({ params }) => {
    prefetchInBackground(projectVpcsQuery(params.project))
    return Promise.all([
      prefetchNics(params, { subnets: true }),
      prefetch(ipPoolsQuery, floatingIpsQuery(params.project)),
    ])
  },
  staticData: { crumb: 'Networking' },
})

const connect = createRoute({
  getParentRoute: () => page,
  path: '/connect',
  component: lazyPage(() => import('./connect-tab.tsx'), 'ConnectTab'),
  staticData: { crumb: 'Connect' },
})

const settings = createRoute({
  getParentRoute: () => page,
  path: '/settings',
  component: lazyPage(() => import('./settings-tab.tsx'), 'SettingsTab'),
  loader: ({ params }) => prefetch(groupsQuery(params.project), instanceGroupsQuery(params)),
  staticData: { crumb: 'Settings' },
})

/** Children of `instanceRoute`, in the router. */
export const instanceHomeRoute = home
export const instancePageRoutes = page.addChildren([storage, networking, connect, settings])
