import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { vpcTabsRoute } from '../vpcs/routes.ts'
import { subnetListDefinition, subnetQuery } from './queries.ts'
import { vpcRoutersQuery } from './routers.tsx'

const { list, index } = listRoutes(vpcTabsRoute, 'subnets', '/subnets', {
  list: subnetListDefinition,
  crumb: 'VPC Subnets',
  isTab: true,
  page: lazyPage(() => import('./subnets-tab.tsx'), 'SubnetsTab'),
  // Skeletons stand in for the names of routers.
  load: (params) => prefetchInBackground(vpcRoutersQuery(params)),
})

export const subnetRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/subnets-new': [
      'New Subnet',
      lazyPage(() => import('./subnet-forms.tsx'), 'SubnetCreateForm'),
    ],
    '/subnets/$subnet/edit': [
      'Edit Subnet',
      lazyPage(() => import('./subnet-forms.tsx'), 'SubnetEditForm'),
      (params) => prefetch(subnetQuery(params)),
    ],
  }),
})
