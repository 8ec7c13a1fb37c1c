import { createRoute } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import {
  allSilosQuery,
  subnetPoolKind,
  subnetPoolListDefinition,
  linksQuery,
  poolQuery,
  utilizationQuery,
  membersQuery,
} from '../pools/pool-kind.ts'

const crumb = { crumb: 'Subnet Pools', crumbTo: '/system/networking/subnet-pools' }

const list = createRoute({
  getParentRoute: () => systemRoute,
  id: 'subnet-pools',
  component: lazyPage(() => import('../pools/pools-page.tsx'), 'SubnetPoolsPage'),
  ...searchedRoute(subnetPoolListDefinition),
  loader: (visit) => prefetchList(subnetPoolListDefinition, subnetPoolKind.listed, visit),
  staticData: crumb,
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/system/networking/subnet-pools',
  staticData: { nav: { group: 'network', icon: Boxes } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/system/networking/subnet-pools-new',
  component: lazyPage(() => import('../pools/pool-forms.tsx'), 'SubnetPoolCreateForm'),
  staticData: { crumb: 'New subnet pool', titleOnly: true },
})

export const subnetPoolListRoutes = list.addChildren([index, create])

/** The page of a pool does not render inside the list, but its breadcrumbs include the list. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'subnet-pools-crumb',
  staticData: crumb,
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/networking/subnet-pools/$pool',
  component: lazyPage(() => import('./subnet-pool-page.tsx'), 'SubnetPoolPage'),
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: 'silos' } =>
    tab === 'silos' ? { tab } : {},
  loader: async ({ params: { pool } }) => {
    prefetchInBackground(allSilosQuery, linksQuery(subnetPoolKind, pool))
    await prefetch(
      poolQuery(subnetPoolKind, pool),
      optional(membersQuery(pool)),
      optional(utilizationQuery(subnetPoolKind, pool)),
    )
  },
  staticData: {
    crumb: ({ pool }) => pool!,
    crumbTo: ({ pool }) => `/system/networking/subnet-pools/${pool}`,
  },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

const edit = createRoute({
  getParentRoute: () => page,
  path: '/edit',
  component: lazyPage(() => import('../pools/pool-forms.tsx'), 'SubnetPoolEditForm'),
  staticData: { crumb: 'Edit subnet pool', titleOnly: true },
})

const addMember = createRoute({
  getParentRoute: () => page,
  path: '/members-add',
  component: lazyPage(() => import('./member-form.tsx'), 'MemberAddForm'),
  staticData: { crumb: 'Add Member', titleOnly: true },
})

export const subnetPoolRoutes = trail.addChildren([page.addChildren([pageIndex, edit, addMember])])
