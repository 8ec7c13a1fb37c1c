import { createRoute } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { apiQuery, optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { subnetPoolsQuery } from '../pools/own-pools.ts'
import { externalSubnetListDefinition } from './queries.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'external-subnets',
  component: lazyPage(() => import('./external-subnets-page.tsx'), 'ExternalSubnetsPage'),
  ...searchedRoute(externalSubnetListDefinition),
  loader: ({ params: { project }, ...visit }) => {
    // Skeletons stand in for the names of instances.
    prefetchInBackground(projectInstancesQuery(project))
    return prefetchList(externalSubnetListDefinition, { project }, visit)
  },
  staticData: {
    crumb: 'External Subnets',
    crumbTo: ({ project }) => `/projects/${project}/external-subnets`,
  },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/external-subnets',
  staticData: { nav: { group: 'network', icon: Globe, shortcut: 'goExternalSubnets' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/external-subnets-new',
  component: lazyPage(() => import('./external-subnet-forms.tsx'), 'ExternalSubnetCreateForm'),
  // A subnet can be created by explicit addresses, without the list of pools.
  loader: () => prefetch(optional(subnetPoolsQuery)),
  staticData: { crumb: 'New External Subnet', titleOnly: true },
})

const edit = createRoute({
  getParentRoute: () => list,
  path: '/external-subnets/$externalSubnet/edit',
  component: lazyPage(() => import('./external-subnet-forms.tsx'), 'ExternalSubnetEditForm'),
  loader: ({ params: { project, externalSubnet } }) =>
    prefetch(apiQuery('externalSubnetView', { path: { externalSubnet }, query: { project } })),
  staticData: { crumb: 'Edit External Subnet', titleOnly: true },
})

export const externalSubnetListRoutes = list.addChildren([index, create, edit])
