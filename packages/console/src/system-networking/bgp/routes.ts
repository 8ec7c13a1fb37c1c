import { createRoute } from '@tanstack/react-router'
import { allLotsQuery } from '../address-lots/queries.ts'
import { optional, prefetch, prefetchForAMoment } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import {
  announceSetListDefinition,
  bgpConfigListDefinition,
  allAnnounceSetsQuery,
  allConfigsQuery,
  announceSetQuery,
  configQuery,
  exportedQuery,
  peersQuery,
} from './queries.ts'

const configs = createRoute({
  getParentRoute: () => connectivityRoute,
  id: 'bgp-configs',
  component: lazyPage(() => import('./configs-tab.tsx'), 'ConfigsTab'),
  ...searchedRoute(bgpConfigListDefinition),
  loader: (visit) => prefetchList(bgpConfigListDefinition, {}, visit),
  staticData: { crumb: 'BGP', crumbTo: '/system/networking/bgp', isTab: true },
})

const configIndex = createRoute({ getParentRoute: () => configs, path: '/system/networking/bgp' })

const configCreate = createRoute({
  getParentRoute: () => configs,
  path: '/system/networking/bgp-new',
  component: lazyPage(() => import('./config-forms.tsx'), 'ConfigCreateForm'),
  loader: () => prefetchForAMoment(allAnnounceSetsQuery),
  staticData: { crumb: 'New BGP configuration', titleOnly: true },
})

const configEdit = createRoute({
  getParentRoute: () => configs,
  path: '/system/networking/bgp/$bgpConfig/edit',
  component: lazyPage(() => import('./config-forms.tsx'), 'ConfigEditForm'),
  loader: async ({ params: { bgpConfig } }) => {
    await prefetch(configQuery(bgpConfig), optional(allAnnounceSetsQuery))
  },
  staticData: { crumb: 'Edit BGP configuration', titleOnly: true },
})

export const bgpConfigRoutes = configs.addChildren([configIndex, configCreate, configEdit])

const sets = createRoute({
  getParentRoute: () => connectivityRoute,
  id: 'bgp-announce-sets',
  component: lazyPage(() => import('./announce-sets-tab.tsx'), 'AnnounceSetsTab'),
  ...searchedRoute(announceSetListDefinition),
  loader: (visit) => prefetchList(announceSetListDefinition, {}, visit),
  staticData: {
    crumb: 'Announce Sets',
    crumbTo: '/system/networking/announce-sets',
    isTab: true,
  },
})

const setIndex = createRoute({
  getParentRoute: () => sets,
  path: '/system/networking/announce-sets',
})

const setCreate = createRoute({
  getParentRoute: () => sets,
  path: '/system/networking/announce-sets-new',
  component: lazyPage(() => import('./announce-set-forms.tsx'), 'AnnounceSetCreateForm'),
  loader: () => prefetchForAMoment(allLotsQuery),
  staticData: { crumb: 'New announce set', titleOnly: true },
})

const setEdit = createRoute({
  getParentRoute: () => sets,
  path: '/system/networking/announce-sets/$announceSet/edit',
  component: lazyPage(() => import('./announce-set-forms.tsx'), 'AnnounceSetEditForm'),
  loader: async ({ params: { announceSet } }) => {
    await prefetch(announceSetQuery(announceSet), optional(allLotsQuery))
  },
  staticData: { crumb: 'Edit announce set', titleOnly: true },
})

export const announceSetRoutes = sets.addChildren([setIndex, setCreate, setEdit])

export const bgpPeersRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/bgp-peers',
  component: lazyPage(() => import('./peers-tab.tsx'), 'PeersTab'),
  validateSearch: ({ asn }: { asn?: unknown }): { asn?: number } =>
    Number.isInteger(asn) ? { asn: asn as number } : {},
  loader: () => prefetch(peersQuery, optional(exportedQuery), optional(allConfigsQuery)),
  staticData: { crumb: 'BGP Peers', crumbTo: '/system/networking/bgp-peers', isTab: true },
})
