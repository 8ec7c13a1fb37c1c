import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../../../data/api.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { ipPoolKind, poolsOfSiloQuery } from '../../pools/pool-kind.ts'
import { siloTabsRoute } from '../../../tenancy/silos/routes.ts'

export const siloIpPoolsRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/ip-pools',
  component: lazyPage(() => import('./ip-pools-tab.tsx'), 'SiloIpPoolsTab'),
  loader: ({ params: { silo } }) => prefetch(optional(poolsOfSiloQuery(ipPoolKind, silo))),
  staticData: { crumb: 'IP Pools', isTab: true },
})
