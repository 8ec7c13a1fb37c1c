import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute, systemRoute } from '../../page/parent-routes.ts'
import type { UsageSearch } from './question.ts'

const validateSearch = (search: Record<string, unknown>): UsageSearch =>
  Object.fromEntries(
    ['month', 'zone', 'by', 'tag', 'of'].flatMap((name) =>
      typeof search[name] === 'string' ? [[name, search[name]]] : [],
    ),
  )

const staticData = { needs: 'usage', crumb: 'Usage' } as const

export const usageRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/usage',
  component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
  validateSearch,
  staticData,
})

export const systemUsageRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/usage',
  component: lazyPage(() => import('./usage-page.tsx'), 'SystemUsagePage'),
  validateSearch,
  staticData,
})
