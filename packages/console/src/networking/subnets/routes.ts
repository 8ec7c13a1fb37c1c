import { createRoute } from '@tanstack/react-router'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { vpcTabsRoute } from '../vpcs/routes.ts'
import { subnetListDefinition, subnetQuery } from './queries.ts'
import { vpcRoutersQuery } from './routers.tsx'

const tab = createRoute({
  getParentRoute: () => vpcTabsRoute,
  id: 'subnets',
  component: lazyPage(() => import('./subnets-tab.tsx'), 'SubnetsTab'),
  ...searchedRoute(subnetListDefinition),
  loader: ({ params: { project, vpc }, ...visit }) => {
    // Skeletons stand in for the names of routers.
    prefetchInBackground(vpcRoutersQuery({ project, vpc }))
    return prefetchList(subnetListDefinition, { project, vpc }, visit)
  },
})

const trail = createRoute({
  getParentRoute: () => tab,
  id: 'subnets-crumb',
  staticData: {
    crumb: 'VPC Subnets',
    crumbTo: ({ project, vpc }) => `/projects/${project}/vpcs/${vpc}/subnets`,
    isTab: true,
  },
})

const index = createRoute({ getParentRoute: () => trail, path: '/subnets' })

const create = createRoute({
  getParentRoute: () => trail,
  path: '/subnets-new',
  component: lazyPage(() => import('./subnet-forms.tsx'), 'SubnetCreateForm'),
  staticData: { crumb: 'New Subnet', titleOnly: true },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/subnets/$subnet/edit',
  component: lazyPage(() => import('./subnet-forms.tsx'), 'SubnetEditForm'),
  loader: ({ params }) => prefetch(subnetQuery(params)),
  staticData: { crumb: 'Edit Subnet', titleOnly: true },
})

export const subnetRoutes = tab.addChildren([trail.addChildren([index, create, edit])])
