import { createRoute } from '@tanstack/react-router'
import { allLotsQuery } from '../address-lots/queries.ts'
import { optional, prefetch } from '../../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
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

const create = createRoute({
  getParentRoute: () => tab,
  path: '/system/networking/loopback-addresses-new',
  component: lazyPage(() => import('./loopback-form.tsx'), 'LoopbackCreateForm'),
  loader: () => prefetch(racksQuery, optional(allLotsQuery)),
  staticData: { crumb: 'New loopback address', titleOnly: true },
})

export const loopbackRoutes = tab.addChildren([index, create])
