import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../data/api.ts'
import { searchedRoute } from '../data/list-search.ts'
import { prefetchList } from '../data/lists.ts'
import { lazyPage } from '../page/lazy-page.ts'
import { projectRoute } from '../shell/routes.ts'
import { instanceListDefinition } from './list.ts'
import { instanceQuery } from './queries.ts'

const listPath = ({ project }: Record<string, string>) => `/projects/${project}/instances`

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'instances',
  component: lazyPage(() => import('./instances-page.tsx'), 'InstancesPage'),
  ...searchedRoute(instanceListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(instanceListDefinition, { project }, visit),
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
