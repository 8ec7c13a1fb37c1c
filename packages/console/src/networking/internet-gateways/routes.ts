import { createRoute } from '@tanstack/react-router'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { ipPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { allRoutersQuery } from '../routers/queries.ts'
import { vpcTabsRoute } from '../vpcs/routes.ts'
import {
  gatewayListDefinition,
  attachedAddressesQuery,
  attachedPoolsQuery,
  gatewayQuery,
} from './queries.ts'

const tab = createRoute({
  getParentRoute: () => vpcTabsRoute,
  id: 'internet-gateways',
  component: lazyPage(() => import('./gateways-tab.tsx'), 'GatewaysTab'),
  ...searchedRoute(gatewayListDefinition),
  loader: ({ params: { project, vpc }, ...visit }) => {
    prefetchInBackground(ipPoolsQuery)
    return prefetchList(gatewayListDefinition, { project, vpc }, visit)
  },
})

const trail = createRoute({
  getParentRoute: () => tab,
  id: 'gateways-crumb',
  staticData: {
    crumb: 'Internet Gateways',
    crumbTo: ({ project, vpc }) => `/projects/${project}/vpcs/${vpc}/internet-gateways`,
    isTab: true,
  },
})

const index = createRoute({ getParentRoute: () => trail, path: '/internet-gateways' })

const create = createRoute({
  getParentRoute: () => trail,
  path: '/internet-gateways-new',
  component: lazyPage(() => import('./gateway-create.tsx'), 'GatewayCreateForm'),
  staticData: { crumb: 'New Internet Gateway', titleOnly: true },
})

const panel = createRoute({
  getParentRoute: () => trail,
  path: '/internet-gateways/$gateway',
  component: lazyPage(() => import('./gateway-panel.tsx'), 'GatewayPanel'),
  loader: ({ params }) => {
    prefetchInBackground(
      attachedPoolsQuery(params),
      attachedAddressesQuery(params),
      allRoutersQuery(params),
    )
    return prefetch(gatewayQuery(params))
  },
  staticData: { crumb: 'Edit Internet Gateway', titleOnly: true },
})

export const gatewayRoutes = tab.addChildren([trail.addChildren([index, create, panel])])
