import { createRoute } from '@tanstack/react-router'
import { ChartSpline } from 'lucide-react'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, systemRoute } from '../../page/parent-routes.ts'
import { readExplorerSearch } from './search.ts'

const metrics = {
  validateSearch: readExplorerSearch,
  staticData: {
    crumb: 'Metrics',
    nav: { group: 'observe' as const, icon: ChartSpline, shortcut: 'goMetrics' as const },
  },
}

export const projectMetricsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/metrics',
  component: lazyPage(() => import('./explorer-pages.tsx'), 'ProjectMetricsPage'),
  ...metrics,
})

export const systemMetricsRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/metrics',
  component: lazyPage(() => import('./explorer-pages.tsx'), 'SystemMetricsPage'),
  ...metrics,
})
