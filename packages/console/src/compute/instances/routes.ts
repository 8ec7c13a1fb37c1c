import { createRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { instanceListDefinition } from './list.ts'
import { instancesPath } from './paths.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'instances',
  component: lazyPage(() => import('./instances-page.tsx'), 'InstancesPage'),
  ...searchedRoute(instanceListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(instanceListDefinition, { project }, visit),
  staticData: { crumb: 'Instances', crumbTo: instancesPath },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/instances',
  staticData: { nav: { icon: Server, shortcut: 'goInstances' } },
})

export const instanceListRoutes = list.addChildren([index])
