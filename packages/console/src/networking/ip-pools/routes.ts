import { createRoute, redirect } from '@tanstack/react-router'
import { Grid3x3 } from 'lucide-react'
import { optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import {
  allSilosQuery,
  ipPoolKind,
  ipPoolListDefinition,
  linksQuery,
  poolQuery,
  utilizationQuery,
  rangesQuery,
} from '../pools/pool-kind.ts'

export const networkingHomeRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/networking',
  beforeLoad: () => {
    throw redirect({ to: '/system/networking/ip-pools', replace: true })
  },
})

const { list, index, trail } = listRoutes(systemRoute, 'ip-pools', '/system/networking/ip-pools', {
  list: ipPoolListDefinition,
  crumb: 'IP Pools',
  nav: { group: 'network', icon: Grid3x3, shortcut: 'goIpPools' },
  page: lazyPage(() => import('../pools/pools-page.tsx'), 'IpPoolsPage'),
  within: ipPoolKind.listed,
})

export const ipPoolListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/system/networking/ip-pools-new': [
      'New IP pool',
      lazyPage(() => import('../pools/pool-forms.tsx'), 'IpPoolCreateForm'),
    ],
  }),
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/networking/ip-pools/$pool',
  component: lazyPage(() => import('./ip-pool-page.tsx'), 'IpPoolPage'),
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: 'silos' | 'addresses' } =>
    tab === 'silos' || tab === 'addresses' ? { tab } : {},
  loader: async ({ params: { pool } }) => {
    prefetchInBackground(allSilosQuery, linksQuery(ipPoolKind, pool))
    await prefetch(
      poolQuery(ipPoolKind, pool),
      optional(rangesQuery(pool)),
      optional(utilizationQuery(ipPoolKind, pool)),
    )
  },
  staticData: { crumb: ({ pool }) => pool! },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

export const ipPoolRoutes = trail.addChildren([
  page.addChildren({
    pageIndex,
    ...panelRoutes(page, {
      '/edit': [
        'Edit IP pool',
        lazyPage(() => import('../pools/pool-forms.tsx'), 'IpPoolEditForm'),
      ],
      '/ranges-add': ['Add Range', lazyPage(() => import('./range-form.tsx'), 'RangeAddForm')],
    }),
  }),
])
