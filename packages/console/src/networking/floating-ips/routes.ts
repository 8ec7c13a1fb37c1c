import { createRoute } from '@tanstack/react-router'
import { EthernetPort } from 'lucide-react'
import { apiQuery, optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { ipPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { floatingIpListDefinition } from './queries.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'floating-ips',
  component: lazyPage(() => import('./floating-ips-page.tsx'), 'FloatingIpsPage'),
  ...searchedRoute(floatingIpListDefinition),
  loader: ({ params: { project }, ...visit }) => {
    // Skeletons stand in for the names of instances and pools.
    prefetchInBackground(projectInstancesQuery(project), ipPoolsQuery)
    return prefetchList(floatingIpListDefinition, { project }, visit)
  },
  staticData: {
    crumb: 'Floating IPs',
    crumbTo: ({ project }) => `/projects/${project}/floating-ips`,
  },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/floating-ips',
  staticData: { nav: { group: 'network', icon: EthernetPort, shortcut: 'goFloatingIps' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/floating-ips-new',
  component: lazyPage(() => import('./floating-ip-forms.tsx'), 'FloatingIpCreateForm'),
  loader: () => prefetch(optional(ipPoolsQuery)),
  staticData: { crumb: 'New Floating IP', titleOnly: true },
})

const edit = createRoute({
  getParentRoute: () => list,
  path: '/floating-ips/$floatingIp/edit',
  component: lazyPage(() => import('./floating-ip-forms.tsx'), 'FloatingIpEditForm'),
  loader: ({ params: { project, floatingIp } }) =>
    prefetch(apiQuery('floatingIpView', { path: { floatingIp }, query: { project } })),
  staticData: { crumb: 'Edit Floating IP', titleOnly: true },
})

export const floatingIpListRoutes = list.addChildren([index, create, edit])
