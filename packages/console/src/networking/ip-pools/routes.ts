import { createRoute, redirect } from '@tanstack/react-router'
import { Grid3x3 } from 'lucide-react'
import { optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
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

const crumb = { crumb: 'IP Pools', crumbTo: '/system/networking/ip-pools' }

export const networkingHomeRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/networking',
  beforeLoad: () => {
    throw redirect({ to: '/system/networking/ip-pools', replace: true })
  },
})

const list = createRoute({
  getParentRoute: () => systemRoute,
  id: 'ip-pools',
  component: lazyPage(() => import('../pools/pools-page.tsx'), 'IpPoolsPage'),
  ...searchedRoute(ipPoolListDefinition),
  loader: (visit) => prefetchList(ipPoolListDefinition, ipPoolKind.listed, visit),
  staticData: crumb,
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/system/networking/ip-pools',
  staticData: { nav: { group: 'network', icon: Grid3x3, shortcut: 'goIpPools' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/system/networking/ip-pools-new',
  component: lazyPage(() => import('../pools/pool-forms.tsx'), 'IpPoolCreateForm'),
  staticData: { crumb: 'New IP pool', titleOnly: true },
})

export const ipPoolListRoutes = list.addChildren([index, create])

/** The page of a pool does not render inside the list, but its breadcrumbs include the list. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'ip-pools-crumb',
  staticData: crumb,
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
  staticData: {
    crumb: ({ pool }) => pool!,
    crumbTo: ({ pool }) => `/system/networking/ip-pools/${pool}`,
  },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

const edit = createRoute({
  getParentRoute: () => page,
  path: '/edit',
  component: lazyPage(() => import('../pools/pool-forms.tsx'), 'IpPoolEditForm'),
  staticData: { crumb: 'Edit IP pool', titleOnly: true },
})

const addRange = createRoute({
  getParentRoute: () => page,
  path: '/ranges-add',
  component: lazyPage(() => import('./range-form.tsx'), 'RangeAddForm'),
  staticData: { crumb: 'Add Range', titleOnly: true },
})

export const ipPoolRoutes = trail.addChildren([page.addChildren([pageIndex, edit, addRange])])
