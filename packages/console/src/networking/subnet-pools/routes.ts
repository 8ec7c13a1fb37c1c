import { createRoute } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { optional, prefetch, prefetchInBackground } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
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

const { list, index, trail } = listRoutes(
  systemRoute,
  'subnet-pools',
  '/system/networking/subnet-pools',
  {
    list: subnetPoolListDefinition,
    crumb: 'Subnet Pools',
    nav: { group: 'network', icon: Boxes },
    page: lazyPage(() => import('../pools/pools-page.tsx'), 'SubnetPoolsPage'),
    within: subnetPoolKind.listed,
  },
)

export const subnetPoolListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/system/networking/subnet-pools-new': [
      'New subnet pool',
      lazyPage(() => import('../pools/pool-forms.tsx'), 'SubnetPoolCreateForm'),
    ],
  }),
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
  staticData: { crumb: ({ pool }) => pool! },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

export const subnetPoolRoutes = trail.addChildren([
  page.addChildren({
    pageIndex,
    ...panelRoutes(page, {
      '/edit': [
        'Edit subnet pool',
        lazyPage(() => import('../pools/pool-forms.tsx'), 'SubnetPoolEditForm'),
      ],
      '/members-add': ['Add Member', lazyPage(() => import('./member-form.tsx'), 'MemberAddForm')],
    }),
  }),
])
