import { createRoute } from '@tanstack/react-router'
import { allLotsQuery } from '../address-lots/queries.ts'
import { optional, prefetch } from '../../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'
import { loopbacksQuery, racksQuery } from './queries.ts'

const tab = createRoute({
  getParentRoute: () => connectivityRoute,
  id: 'loopback-addresses',
  component: lazyPage(() => import('./loopbacks-tab.tsx'), 'LoopbacksTab'),
  loader: () => prefetch(loopbacksQuery()),
  staticData: {
    crumb: 'Loopback Addresses',
    crumbTo: '/system/networking/loopback-addresses',
    isTab: true,
  },
})

const index = createRoute({
  getParentRoute: () => tab,
  path: '/system/networking/loopback-addresses',
})

export const loopbackRoutes = tab.addChildren({
  index,
  ...panelRoutes(tab, {
    '/system/networking/loopback-addresses-new': [
      'New loopback address',
      lazyPage(() => import('./loopback-form.tsx'), 'LoopbackCreateForm'),
      () => prefetch(racksQuery, optional(allLotsQuery)),
    ],
  }),
})
