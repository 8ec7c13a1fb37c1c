import { createRoute } from '@tanstack/react-router'
import { allLotsQuery } from '../address-lots/queries.ts'
import { optional, prefetch, prefetchForAMoment } from '../../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
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

const { list: configs, index: configIndex } = listRoutes(
  connectivityRoute,
  'bgp-configs',
  '/system/networking/bgp',
  {
    list: bgpConfigListDefinition,
    crumb: 'BGP',
    isTab: true,
    page: lazyPage(() => import('./configs-tab.tsx'), 'ConfigsTab'),
  },
)

export const bgpConfigRoutes = configs.addChildren({
  index: configIndex,
  ...panelRoutes(configs, {
    '/system/networking/bgp-new': [
      'New BGP configuration',
      lazyPage(() => import('./config-forms.tsx'), 'ConfigCreateForm'),
      () => prefetchForAMoment(allAnnounceSetsQuery),
    ],
    '/system/networking/bgp/$bgpConfig/edit': [
      'Edit BGP configuration',
      lazyPage(() => import('./config-forms.tsx'), 'ConfigEditForm'),
      ({ bgpConfig }) => prefetch(configQuery(bgpConfig), optional(allAnnounceSetsQuery)),
    ],
  }),
})

const { list: sets, index: setIndex } = listRoutes(
  connectivityRoute,
  'bgp-announce-sets',
  '/system/networking/announce-sets',
  {
    list: announceSetListDefinition,
    crumb: 'Announce Sets',
    isTab: true,
    page: lazyPage(() => import('./announce-sets-tab.tsx'), 'AnnounceSetsTab'),
  },
)

export const announceSetRoutes = sets.addChildren({
  index: setIndex,
  ...panelRoutes(sets, {
    '/system/networking/announce-sets-new': [
      'New announce set',
      lazyPage(() => import('./announce-set-forms.tsx'), 'AnnounceSetCreateForm'),
      () => prefetchForAMoment(allLotsQuery),
    ],
    '/system/networking/announce-sets/$announceSet/edit': [
      'Edit announce set',
      lazyPage(() => import('./announce-set-forms.tsx'), 'AnnounceSetEditForm'),
      ({ announceSet }) => prefetch(announceSetQuery(announceSet), optional(allLotsQuery)),
    ],
  }),
})

export const bgpPeersRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/bgp-peers',
  component: lazyPage(() => import('./peers-tab.tsx'), 'PeersTab'),
  validateSearch: ({ asn }: { asn?: unknown }): { asn?: number } =>
    Number.isInteger(asn) ? { asn: asn as number } : {},
  loader: () => prefetch(peersQuery, optional(exportedQuery), optional(allConfigsQuery)),
  staticData: { crumb: 'BGP Peers', isTab: true },
})
