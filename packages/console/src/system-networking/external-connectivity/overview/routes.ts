import { createRoute } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import { bfdQuery } from '../../bfd/queries.ts'
import { peersQuery } from '../../bgp/queries.ts'
import { optional, prefetch } from '../../../data/api.ts'
import { prefetchExtension } from '../../../data/capabilities.ts'
import { connectivityRoute } from '../routes.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { configuredPortsQuery } from '../../switch-ports/queries.ts'
import { overviewLotsQuery } from '../../address-lots/queries.ts'

export const overviewRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/connectivity',
  component: lazyPage(() => import('./overview-tab.tsx'), 'OverviewTab'),
  loader: async () => {
    await Promise.all([
      prefetch(optional(peersQuery), optional(bfdQuery)),
      prefetchExtension('lists', configuredPortsQuery, overviewLotsQuery),
    ])
  },
  staticData: {
    nav: { icon: Cable },
    crumb: 'Overview',
    crumbTo: '/system/networking/connectivity',
    isTab: true,
  },
})
