import { createRoute } from '@tanstack/react-router'
import { Gauge } from 'lucide-react'
import { ALL_ITEMS, apiQuery, optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute, systemRoute } from '../../page/parent-routes.ts'

export const utilizationRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/utilization',
  component: lazyPage(() => import('./utilization-page.tsx'), 'UtilizationPage'),
  loader: () => prefetch(optional(apiQuery('utilizationView', {}))),
  staticData: { nav: { icon: Gauge, shortcut: 'goUtilization' }, crumb: 'Utilization' },
})

export const systemUtilizationRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/utilization',
  component: lazyPage(() => import('./system-utilization-page.tsx'), 'SystemUtilizationPage'),
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: 'metrics' } =>
    tab === 'metrics' ? { tab } : {},
  loader: () =>
    prefetch(optional(apiQuery('siloUtilizationList', { query: { limit: ALL_ITEMS } }))),
  staticData: {
    nav: { group: 'observe', icon: Gauge, shortcut: 'goUtilization' },
    crumb: 'Utilization',
  },
})
