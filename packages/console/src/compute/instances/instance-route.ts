import { createRoute } from '@tanstack/react-router'
import { Cpu } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { listRoutes } from '../../page/routes.ts'
import { instanceListDefinition, instanceQuery } from './queries.ts'

const { list, index, trail } = listRoutes(projectRoute, 'instances', '/instances', {
  list: instanceListDefinition,
  crumb: 'Instances',
  nav: { group: 'compute', icon: Cpu, shortcut: 'goInstances' },
  page: lazyPage(() => import('./instances-page.tsx'), 'InstancesPage'),
})

export const instanceListRoutes = list.addChildren({ index })
export { trail as instancesCrumbRoute }

/** The parent of the routes of one instance: its page with tabs, and its serial console. */
export const instanceRoute = createRoute({
  getParentRoute: () => trail,
  path: '/instances/$instance',
  loader: ({ params }) => prefetch(instanceQuery(params)),
  staticData: {
    crumb: ({ instance }) => instance!,
    crumbTo: '/projects/$project/instances/$instance/storage',
  },
})
