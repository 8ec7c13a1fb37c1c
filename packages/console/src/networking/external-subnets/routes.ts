import { Globe } from 'lucide-react'
import { apiQuery, optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { subnetPoolsQuery } from '../pools/own-pools.ts'
import { externalSubnetListDefinition } from './queries.ts'

const { list, index } = listRoutes(projectRoute, 'external-subnets', '/external-subnets', {
  list: externalSubnetListDefinition,
  crumb: 'External Subnets',
  nav: { group: 'network', icon: Globe, shortcut: 'goExternalSubnets' },
  page: lazyPage(() => import('./external-subnets-page.tsx'), 'ExternalSubnetsPage'),
  // Skeletons stand in for the names of instances.
  load: ({ project }) => prefetchInBackground(projectInstancesQuery(project)),
})

export const externalSubnetListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/external-subnets-new': [
      'New External Subnet',
      lazyPage(() => import('./external-subnet-forms.tsx'), 'ExternalSubnetCreateForm'), // A subnet can be created by explicit addresses, without the list of pools.
      ({ project }) => prefetch(optional(subnetPoolsQuery(project))),
    ],
    '/external-subnets/$externalSubnet/edit': [
      'Edit External Subnet',
      lazyPage(() => import('./external-subnet-forms.tsx'), 'ExternalSubnetEditForm'),
      ({ project, externalSubnet }) =>
        prefetch(apiQuery('externalSubnetView', { path: { externalSubnet }, query: { project } })),
    ],
  }),
})
