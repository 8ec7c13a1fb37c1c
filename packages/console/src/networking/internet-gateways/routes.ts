import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { ipPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { allRoutersQuery } from '../routers/queries.ts'
import { vpcTabsRoute } from '../vpcs/routes.ts'
import {
  gatewayListDefinition,
  attachedAddressesQuery,
  attachedPoolsQuery,
  gatewayQuery,
} from './queries.ts'

const { list, index } = listRoutes(vpcTabsRoute, 'internet-gateways', '/internet-gateways', {
  list: gatewayListDefinition,
  crumb: 'Internet Gateways',
  isTab: true,
  page: lazyPage(() => import('./gateways-tab.tsx'), 'GatewaysTab'),
  load: ({ project }) => prefetchInBackground(ipPoolsQuery(project)),
})

export const gatewayRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/internet-gateways-new': [
      'New Internet Gateway',
      lazyPage(() => import('./gateway-create.tsx'), 'GatewayCreateForm'),
    ],
    '/internet-gateways/$gateway': [
      'Edit Internet Gateway',
      lazyPage(() => import('./gateway-panel.tsx'), 'GatewayPanel'),
      (params) => {
        prefetchInBackground(
          attachedPoolsQuery(params),
          attachedAddressesQuery(params),
          allRoutersQuery(params),
        )
        return prefetch(gatewayQuery(params))
      },
    ],
  }),
})
