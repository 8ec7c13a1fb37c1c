import { createRoute } from '@tanstack/react-router'
import { House } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, siloRoute, systemRoute } from '../../page/parent-routes.ts'
import { fleetOverviewQuery, projectOverviewQuery, siloOverviewQuery } from './queries.ts'

const shared = {
  crumb: 'Overview',
  needs: 'overviews' as const,
  nav: { icon: House, shortcut: 'goOverview' as const },
}

export const projectOverviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/overview',
  component: lazyPage(() => import('./overview-pages.tsx'), 'ProjectOverviewPage'),
  loader: ({ params: { project } }) => prefetch(optional(projectOverviewQuery(project))),
  staticData: shared,
})

export const siloOverviewRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/overview',
  component: lazyPage(() => import('./overview-pages.tsx'), 'SiloOverviewPage'),
  loader: () => prefetch(optional(siloOverviewQuery)),
  staticData: shared,
})

export const fleetOverviewRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/overview',
  component: lazyPage(() => import('./overview-pages.tsx'), 'FleetOverviewPage'),
  loader: () => prefetch(optional(fleetOverviewQuery)),
  staticData: shared,
})
