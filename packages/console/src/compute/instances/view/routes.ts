import type { InstanceNetworkInterface } from '@steading/api/client'
import { createRoute, redirect } from '@tanstack/react-router'
import { groupKinds } from '../../affinity/group-kinds.ts'
import { groupsQuery, instanceGroupsQuery } from '../../affinity/queries.ts'
import { optional, prefetch, prefetchInBackground, queryClient } from '../../../data/api.ts'
import { externalSubnetsQuery } from '../../../networking/external-subnets/queries.ts'
import { floatingIpsQuery } from '../../../networking/floating-ips/queries.ts'
import {
  instanceDisksQuery,
  instanceExternalIpsQuery,
  instanceExternalSubnetsQuery,
  instanceNicsQuery,
  subnetQuery,
  vpcQuery,
  type InstanceParams,
} from '../queries.ts'
import { instanceRoute } from '../instance-route.ts'
import { ipPoolsQuery } from '../../../networking/pools/own-pools.ts'
import { projectVpcsQuery } from '../../../networking/vpcs/queries.ts'
import { instanceMulticastGroupsQuery } from '../../../networking/multicast-groups/queries.ts'
import { lazyPage } from '../../../page/lazy-page.ts'

const home = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$project/instances/$instance/storage', params, replace: true })
  },
})

/** Prefetches the names shown with interfaces: VPCs, and with `subnets` their subnets. */
async function prefetchNames(nics: InstanceNetworkInterface[], { subnets }: { subnets: boolean }) {
  const named = subnets ? nics : nics.filter(({ primary }) => primary)
  const vpcs = new Set(named.map(({ vpcId }) => vpcId))
  const subnetIds = subnets ? new Set(named.map(({ subnetId }) => subnetId)) : []
  await prefetch(
    ...[...vpcs].map((id) => optional(vpcQuery(id))),
    ...[...subnetIds].map((id) => optional(subnetQuery(id))),
  )
}

const nicsOf = (params: InstanceParams): InstanceNetworkInterface[] =>
  queryClient.getQueryData<{ items: InstanceNetworkInterface[] }>(
    instanceNicsQuery(params).queryKey,
  )?.items ?? []

const page = createRoute({
  getParentRoute: () => instanceRoute,
  id: 'tabs',
  component: lazyPage(() => import('./instance-page.tsx'), 'InstancePage'),
  loader: async ({ params }) => {
    await prefetch(optional(instanceExternalIpsQuery(params)), optional(instanceNicsQuery(params)))
    await prefetchNames(nicsOf(params), { subnets: false })
  },
})

const storage = createRoute({
  getParentRoute: () => page,
  path: '/storage',
  component: lazyPage(() => import('./storage-tab.tsx'), 'StorageTab'),
  loader: ({ params }) => prefetch(instanceDisksQuery(params)),
  staticData: { crumb: 'Storage', isTab: true },
})

const networking = createRoute({
  getParentRoute: () => page,
  path: '/networking',
  component: lazyPage(() => import('./networking-tab.tsx'), 'NetworkingTab'),
  loader: async ({ params }) => {
    prefetchInBackground(projectVpcsQuery(params.project), instanceMulticastGroupsQuery(params))
    await prefetch(
      instanceNicsQuery(params),
      instanceExternalIpsQuery(params),
      optional(ipPoolsQuery(params.project)),
      optional(floatingIpsQuery(params.project)),
      optional(instanceExternalSubnetsQuery(params)),
      optional(externalSubnetsQuery(params.project)),
    )
    await prefetchNames(nicsOf(params), { subnets: true })
  },
  staticData: { crumb: 'Networking', isTab: true },
})

const metricsHome = createRoute({
  getParentRoute: () => page,
  path: '/metrics',
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/projects/$project/instances/$instance/metrics/$subject',
      params: { ...params, subject: 'cpu' },
      replace: true,
    })
  },
})
const metrics = createRoute({
  getParentRoute: () => page,
  path: '/metrics/$subject',
  component: lazyPage(() => import('./metrics-tab.tsx'), 'MetricsTab'),
  staticData: { crumb: 'Metrics', isTab: true },
})

const connect = createRoute({
  getParentRoute: () => page,
  path: '/connect',
  component: lazyPage(() => import('./connect-tab.tsx'), 'ConnectTab'),
  loader: ({ params }) => prefetch(instanceExternalIpsQuery(params)),
  staticData: { crumb: 'Connect', isTab: true },
})

const settings = createRoute({
  getParentRoute: () => page,
  path: '/settings',
  component: lazyPage(() => import('./settings-tab.tsx'), 'InstanceSettingsTab'),
  loader: ({ params }) =>
    prefetch(
      ...groupKinds.flatMap((kind) => [
        optional(groupsQuery(kind, params.project)),
        optional(instanceGroupsQuery(kind, params)),
      ]),
    ),
  staticData: { crumb: 'Settings', isTab: true },
})

const history = createRoute({
  getParentRoute: () => page,
  path: '/history',
  component: lazyPage(() => import('./history-tab.tsx'), 'HistoryTab'),
  staticData: { crumb: 'History', isTab: true, needs: 'auditLog' },
})

/** Added to `instanceRoute` by the router. */
export const instanceHomeRoute = home
export const instancePageRoutes = page.addChildren([
  storage,
  networking,
  metricsHome,
  metrics,
  connect,
  settings,
  history,
])
