import { createRoute, redirect } from '@tanstack/react-router'
import { groupsQuery, instanceGroupsQuery } from '../affinity/queries.ts'
import { prefetch, prefetchInBackground, queryClient } from '../data/api.ts'
import { searchedRoute } from '../data/list-search.ts'
import { prefetchList } from '../data/lists.ts'
import { floatingIpsQuery } from '../floating-ips/queries.ts'
import { ipPoolsQuery } from '../ip-pools/queries.ts'
import { projectVpcsQuery } from '../network-interfaces/queries.ts'
import { lazyPage } from '../shell/lazy-page.ts'
import { projectRoute } from '../shell/routes.ts'
import { instanceListDefinition, type InstanceRow } from './list.ts'
import {
  instanceDisksQuery,
  instanceExternalIpsQuery,
  instanceNicsQuery,
  instanceQuery,
  subnetQuery,
  vpcQuery,
  type InstanceParams,
} from './queries.ts'

/**
 * Where addresses are asked for row by row, those of so many are there at the first paint; the others
 * show a skeleton first.
 */
const AWAITED_ADDRESSES = 6

const listPath = ({ project }: Record<string, string>) => `/projects/${project}/instances`

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'instances',
  component: lazyPage(() => import('./instances-page.tsx'), 'InstancesPage'),
  ...searchedRoute(instanceListDefinition),
  loader: async ({ params: { project }, location }) => {
    const rows: InstanceRow[] = await prefetchList(
      instanceListDefinition,
      { project },
      location.search,
    )
    const first = rows.slice(0, AWAITED_ADDRESSES).filter(({ externalIps }) => !externalIps)
    // A row does without them if they cannot be read.
    await Promise.all(
      first.map(({ name }) =>
        queryClient.prefetchQuery(instanceExternalIpsQuery({ project, instance: name })),
      ),
    )
  },
  staticData: { crumb: 'Instances', crumbTo: listPath },
})

const index = createRoute({ getParentRoute: () => list, path: '/instances' })

export const instanceListRoutes = list.addChildren([index])

/** The pages of one instance are not drawn over the list, but their trail leads to it. */
export const instancesCrumbRoute = createRoute({
  getParentRoute: () => projectRoute,
  id: 'instances-crumb',
  staticData: { crumb: 'Instances', crumbTo: listPath },
})

/** The parent of everything about one instance: its page with the tabs, its serial console. */
export const instanceRoute = createRoute({
  getParentRoute: () => instancesCrumbRoute,
  path: '/instances/$instance',
  loader: ({ params }) => prefetch(instanceQuery(params)),
  staticData: {
    crumb: ({ instance }) => instance!,
    crumbTo: ({ project, instance }) => `/projects/${project}/instances/${instance}/storage`,
  },
})

const home = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$project/instances/$instance/storage', params, replace: true })
  },
})

/** Network interfaces, then what they name. */
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
