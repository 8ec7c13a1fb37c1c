import { createRoute } from '@tanstack/react-router'
import { apiQuery, prefetch, prefetchInBackground } from '../data/api.ts'
import { firstPage } from '../data/pagination.ts'
import { projectInstancesQuery } from '../instances/queries.ts'
import { ipPoolsQuery } from '../ip-pools/queries.ts'
import { lazyPage } from '../shell/lazy-page.ts'
import { projectRoute } from '../shell/routes.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'floating-ips',
  component: lazyPage(() => import('./floating-ips-page.tsx'), 'FloatingIpsPage'),
  loader: ({ params: { project } }) => {
    // The names of instances and pools are shown behind skeletons.
    prefetchInBackground(projectInstancesQuery(project), ipPoolsQuery)
    return prefetch(firstPage('floatingIpList', { query: { project } }))
  },
  staticData: {
    crumb: 'Floating IPs',
    crumbTo: ({ project }) => `/projects/${project}/floating-ips`,
  },
})

const index = createRoute({ getParentRoute: () => list, path: '/floating-ips' })

const create = createRoute({
  getParentRoute: () => list,
  path: '/floating-ips-new',
  component: lazyPage(() => import('./floating-ip-forms.tsx'), 'FloatingIpCreateForm'),
  loader: () => prefetch(ipPoolsQuery),
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
