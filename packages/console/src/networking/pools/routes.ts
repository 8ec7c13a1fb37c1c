import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'
import { ipPoolKind, poolsOfSiloQuery, subnetPoolKind } from './pool-kind.ts'

export const siloIpPoolsRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/ip-pools',
  component: lazyPage(() => import('./silo-pools.tsx'), 'SiloIpPoolsTab'),
  loader: ({ params: { silo } }) => prefetch(optional(poolsOfSiloQuery(ipPoolKind, silo))),
  staticData: { crumb: 'IP Pools', isTab: true },
})

export const siloSubnetPoolsRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/subnet-pools',
  component: lazyPage(() => import('./silo-pools.tsx'), 'SiloSubnetPoolsTab'),
  loader: ({ params: { silo } }) => prefetch(optional(poolsOfSiloQuery(subnetPoolKind, silo))),
  staticData: { crumb: 'Subnet Pools', isTab: true },
})
