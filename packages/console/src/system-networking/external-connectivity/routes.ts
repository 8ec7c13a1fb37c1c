import { createRoute } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import { apiQuery, optional, prefetch } from '../../data/api.ts'
import { prefetchExtension } from '../../data/capabilities.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { overviewLotsQuery } from '../address-lots/queries.ts'
import { peersQuery } from '../bgp/queries.ts'
import { configuredPortsQuery } from '../switch-ports/queries.ts'

/** The page of external connectivity, the parent of its tabs. */
export const connectivityRoute = createRoute({
  getParentRoute: () => systemRoute,
  id: 'external-connectivity',
  component: lazyPage(() => import('./connectivity-page.tsx'), 'ConnectivityPage'),
  staticData: {
    part: 'uplinks',
    crumb: 'External Connectivity',
    crumbTo: '/system/networking/connectivity',
  },
})

export const overviewRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/connectivity',
  component: lazyPage(() => import('./overview/overview-tab.tsx'), 'OverviewTab'),
  loader: async () => {
    await Promise.all([
      prefetch(optional(peersQuery), optional(apiQuery('networkingBfdStatus', {}))),
      prefetchExtension('lists', configuredPortsQuery, overviewLotsQuery),
    ])
  },
  staticData: {
    nav: { group: 'network', icon: Cable },
    crumb: 'Overview',
    crumbTo: '/system/networking/connectivity',
    isTab: true,
  },
})
