import { createRoute } from '@tanstack/react-router'
import { Cpu } from 'lucide-react'
import { optional, prefetch, prefetchForAMoment } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { offerQueries } from './create/queries.ts'
import { instanceRoute, instancesPath, instancesCrumbRoute } from './instance-route.ts'
import { instanceDisksQuery, instanceListDefinition } from './queries.ts'

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
  staticData: { nav: { group: 'compute', icon: Cpu, shortcut: 'goInstances' } },
})

export const instanceListRoutes = list.addChildren([index])

/** A full page, not a panel over the list. */
export const instanceCreateRoute = createRoute({
  getParentRoute: () => instancesCrumbRoute,
  path: '/instances-new',
  component: lazyPage(() => import('./create/instance-create-page.tsx'), 'InstanceCreatePage'),
  loader: ({ params: { project } }) => prefetchForAMoment(...offerQueries(project)),
  staticData: { crumb: 'New instance' },
})

export const instanceCloneRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/clone',
  component: lazyPage(
    () => import('../instance-clones/instance-clone-page.tsx'),
    'InstanceClonePage',
  ),
  loader: ({ params }) => prefetch(optional(instanceDisksQuery(params))),
  staticData: { crumb: 'Clone', needs: 'instanceClones' },
})
