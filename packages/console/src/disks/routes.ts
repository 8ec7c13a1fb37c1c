import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../data/api.ts'
import { firstPage } from '../data/pagination.ts'
import { lazyPage } from '../shell/lazy-page.ts'
import { projectRoute } from '../shell/routes.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'disks',
  component: lazyPage(() => import('./disks-page.tsx'), 'DisksPage'),
  loader: ({ params: { project } }) => prefetch(firstPage('diskList', { query: { project } })),
  staticData: { crumb: 'Disks', crumbTo: ({ project }) => `/projects/${project}/disks` },
})

const index = createRoute({ getParentRoute: () => list, path: '/disks' })

export const diskListRoutes = list.addChildren([index])
