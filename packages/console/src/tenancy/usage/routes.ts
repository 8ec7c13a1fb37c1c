import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute, systemRoute } from '../../page/parent-routes.ts'

/** The question of a report, in the address. Values are checked where they are used. */
export type UsageSearch = {
  /** `2026-11`; the present month by default. */
  month?: string
  /** IANA time zone of the days; UTC by default. */
  zone?: string
  by?: string
  /** Key of a tag. */
  tag?: string
  /** Name of a silo or a project, for the report of that alone. */
  of?: string
}

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
  component: lazyPage(() => import('./system-usage-page.tsx'), 'SystemUsagePage'),
  validateSearch,
  staticData,
})
