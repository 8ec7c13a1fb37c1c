import { createRoute } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import { bfdQuery } from '../../bfd/queries.ts'
import { peersQuery } from '../../bgp/queries.ts'
import { optional, prefetch } from '../../../data/api.ts'
import { prefetchExtension } from '../../../data/capabilities.ts'
import { connectivityRoute } from '../routes.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { configuredPortsQuery } from '../../switch-ports/queries.ts'
import { lotsQuery } from './queries.ts'

/** The other tabs and what is below them, which belong to the same entry of the sidebar. */
const connectivityPlaces = [
  'switch-ports',
  'port-settings',
  'address-lots',
  'loopback-addresses',
  'bgp',
  'announce-sets',
  'bgp-peers',
  'bfd',
  'settings',
].map((place) => `/system/networking/${place}`)

export const overviewRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/connectivity',
  component: lazyPage(() => import('./overview-tab.tsx'), 'OverviewTab'),
  loader: async () => {
    await Promise.all([
      prefetch(optional(peersQuery), optional(bfdQuery)),
      prefetchExtension('lists', configuredPortsQuery, lotsQuery),
    ])
  },
  staticData: {
    nav: { icon: Cable, also: connectivityPlaces },
    crumb: 'Overview',
    crumbTo: '/system/networking/connectivity',
    isTab: true,
  },
})
