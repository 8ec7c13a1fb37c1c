import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../../../data/api.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { subnetPoolKind, poolsOfSiloQuery } from '../../pools/pool-kind.ts'
import { siloTabsRoute } from '../../../tenancy/silos/routes.ts'

export const siloSubnetPoolsRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/subnet-pools',
  component: lazyPage(() => import('./subnet-pools-tab.tsx'), 'SiloSubnetPoolsTab'),
  loader: ({ params: { silo } }) => prefetch(optional(poolsOfSiloQuery(subnetPoolKind, silo))),
  staticData: { crumb: 'Subnet Pools', isTab: true },
})
