import { createRoute } from '@tanstack/react-router'
import { BellRing } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { alertListDefinition, alertQuery, deliveriesQuery } from './queries.ts'

const crumb = { crumb: 'Alerts', crumbTo: '/system/alerts' } as const

/** Alerts and their receivers are two tabs of one page. */
export const alertsRoute = createRoute({
  getParentRoute: () => systemRoute,
  id: 'alerts',
  component: lazyPage(() => import('./alerts-page.tsx'), 'AlertsPage'),
  staticData: crumb,
})

export const alertListRoute = createRoute({
  getParentRoute: () => alertsRoute,
  path: '/system/alerts',
  component: lazyPage(() => import('./alerts-tab.tsx'), 'AlertsTab'),
  ...searchedRoute(alertListDefinition),
  loader: (visit) => prefetchList(alertListDefinition, {}, visit),
  staticData: { nav: { group: 'observe', icon: BellRing }, ...crumb, isTab: true },
})

const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'alerts-crumb',
  staticData: crumb,
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/alerts/$alert',
  component: lazyPage(() => import('./alert-page.tsx'), 'AlertPage'),
  loader: ({ params: { alert } }) =>
    prefetch(alertQuery(alert), optional(deliveriesQuery({ alert }))),
  staticData: { crumb: 'Alert' },
})

export const alertRoutes = trail.addChildren([page])
