import { type DashboardSource, isUuid } from '@steading/api/rules'
import { createRoute, notFound } from '@tanstack/react-router'
import { LayoutDashboard } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, systemRoute } from '../../page/parent-routes.ts'
import {
  dashboardListQuery,
  dashboardQuery,
  nameOfDashboard,
  readyMadeNames,
  readAddSearch,
  readDashboardSearch,
} from './queries.ts'

const crumb = 'Dashboards'

/** Ready-made dashboards have names instead of IDs, and need no read. */
async function prefetchDashboard(source: DashboardSource, dashboard: string): Promise<void> {
  if (isUuid(dashboard)) await prefetch(dashboardQuery(dashboard))
  else if (!Object.hasOwn(readyMadeNames[source], dashboard)) throw notFound()
}

const nameOf = (source: DashboardSource, dashboard: string): string =>
  nameOfDashboard(dashboard) ??
  (readyMadeNames[source] as Readonly<Record<string, string>>)[dashboard] ??
  'Dashboard'

const projectDashboards = createRoute({
  getParentRoute: () => projectRoute,
  id: 'dashboards',
  staticData: {
    crumb,
    crumbTo: '/projects/$project/dashboards',
    needs: 'dashboards',
  },
})
const projectList = createRoute({
  getParentRoute: () => projectDashboards,
  path: '/dashboards',
  staticData: { nav: { group: 'observe', icon: LayoutDashboard, shortcut: 'goDashboards' } },
  validateSearch: readAddSearch,
  component: lazyPage(() => import('./dashboards-page.tsx'), 'ProjectDashboardsPage'),
  loader: ({ params: { project } }) => prefetch(optional(dashboardListQuery({ project }))),
})
const projectOne = createRoute({
  getParentRoute: () => projectDashboards,
  path: '/dashboards/$dashboard',
  validateSearch: readDashboardSearch,
  component: lazyPage(() => import('./dashboard-page.tsx'), 'ProjectDashboardPage'),
  loader: ({ params: { dashboard } }) => prefetchDashboard('project', dashboard),
  staticData: { crumb: ({ dashboard }) => nameOf('project', dashboard!) },
})
export const projectDashboardsRoute = projectDashboards.addChildren([projectList, projectOne])

const systemDashboards = createRoute({
  getParentRoute: () => systemRoute,
  id: 'dashboards',
  staticData: { crumb, crumbTo: () => '/system/dashboards', needs: 'dashboards' },
})
const systemList = createRoute({
  getParentRoute: () => systemDashboards,
  path: '/system/dashboards',
  staticData: { nav: { group: 'observe', icon: LayoutDashboard, shortcut: 'goDashboards' } },
  validateSearch: readAddSearch,
  component: lazyPage(() => import('./dashboards-page.tsx'), 'SystemDashboardsPage'),
  loader: () => prefetch(optional(dashboardListQuery('system'))),
})
const systemOne = createRoute({
  getParentRoute: () => systemDashboards,
  path: '/system/dashboards/$dashboard',
  validateSearch: readDashboardSearch,
  component: lazyPage(() => import('./dashboard-page.tsx'), 'SystemDashboardPage'),
  loader: ({ params: { dashboard } }) => prefetchDashboard('system', dashboard),
  staticData: { crumb: ({ dashboard }) => nameOf('system', dashboard!) },
})
export const systemDashboardsRoute = systemDashboards.addChildren([systemList, systemOne])
