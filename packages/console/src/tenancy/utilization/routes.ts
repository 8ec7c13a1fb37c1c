import { createRoute } from '@tanstack/react-router'
import { Gauge } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute, systemRoute } from '../../page/parent-routes.ts'
import { silosUtilizationQuery, utilizationQuery } from './queries.ts'

export const utilizationRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/utilization',
  component: lazyPage(() => import('./utilization-page.tsx'), 'UtilizationPage'),
  loader: () => prefetch(optional(utilizationQuery)),
  staticData: { nav: { icon: Gauge, shortcut: 'goUtilization' }, crumb: 'Utilization' },
})

export const systemUtilizationRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/utilization',
  component: lazyPage(() => import('./system-utilization-page.tsx'), 'SystemUtilizationPage'),
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: 'metrics' } =>
    tab === 'metrics' ? { tab } : {},
  loader: () => prefetch(optional(silosUtilizationQuery)),
  staticData: { nav: { icon: Gauge, shortcut: 'goUtilization' }, crumb: 'Utilization' },
})
