import { EthernetPort } from 'lucide-react'
import { apiQuery, optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { ipPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { floatingIpListDefinition } from './queries.ts'

const { list, index } = listRoutes(projectRoute, 'floating-ips', '/floating-ips', {
  list: floatingIpListDefinition,
  crumb: 'Floating IPs',
  nav: { group: 'network', icon: EthernetPort, shortcut: 'goFloatingIps' },
  page: lazyPage(() => import('./floating-ips-page.tsx'), 'FloatingIpsPage'),
  // Skeletons stand in for the names of instances and pools.
  load: ({ project }) =>
    prefetchInBackground(projectInstancesQuery(project), ipPoolsQuery(project)),
})

export const floatingIpListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/floating-ips-new': [
      'New Floating IP',
      lazyPage(() => import('./floating-ip-forms.tsx'), 'FloatingIpCreateForm'),
      ({ project }) => prefetch(optional(ipPoolsQuery(project))),
    ],
    '/floating-ips/$floatingIp/edit': [
      'Edit Floating IP',
      lazyPage(() => import('./floating-ip-forms.tsx'), 'FloatingIpEditForm'),
      ({ project, floatingIp }) =>
        prefetch(apiQuery('floatingIpView', { path: { floatingIp }, query: { project } })),
    ],
  }),
})
