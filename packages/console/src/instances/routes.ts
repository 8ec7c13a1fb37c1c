import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../data/api.ts'
import { firstPage } from '../data/pagination.ts'
import { lazyPage } from '../shell/lazy-page.ts'
import { projectRoute } from '../shell/routes.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'instances',
  component: lazyPage(() => import('./instances-page.tsx'), 'InstancesPage'),
  loader: ({ params: { project } }) => prefetch(firstPage('instanceList', { query: { project } })),
  staticData: { crumb: 'Instances', crumbTo: ({ project }) => `/projects/${project}/instances` },
})

const index = createRoute({ getParentRoute: () => list, path: '/instances' })

export const instanceListRoutes = list.addChildren([index])
