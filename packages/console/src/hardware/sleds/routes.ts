import { createRoute, redirect } from '@tanstack/react-router'
import { optional, prefetch } from '../../data/api.ts'
import { sledDisksQuery, sledInstancesQuery, sledQuery } from '../inventory/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'

/** The page of a sled does not render inside the list, but its breadcrumbs include the list. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'inventory-crumb',
  staticData: { crumb: 'Inventory', crumbTo: '/system/inventory/sleds' },
})

const sled = createRoute({
  getParentRoute: () => trail,
  path: '/system/inventory/sleds/$sledId',
  component: lazyPage(() => import('./sled-page.tsx'), 'SledPage'),
  loader: ({ params }) => prefetch(sledQuery(params.sledId)),
  staticData: {
    crumb: 'Sled',
    crumbTo: '/system/inventory/sleds/$sledId/instances',
  },
})

const sledHome = createRoute({
  getParentRoute: () => sled,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/system/inventory/sleds/$sledId/instances', params, replace: true })
  },
})

const sledInstances = createRoute({
  getParentRoute: () => sled,
  path: '/instances',
  component: lazyPage(() => import('./sled-instances-tab.tsx'), 'SledInstancesTab'),
  loader: ({ params }) => prefetch(optional(sledInstancesQuery(params.sledId))),
  staticData: { crumb: 'Instances', isTab: true },
})

const sledDisks = createRoute({
  getParentRoute: () => sled,
  path: '/disks',
  component: lazyPage(() => import('./sled-disks-tab.tsx'), 'SledDisksTab'),
  loader: ({ params }) => prefetch(optional(sledDisksQuery(params.sledId))),
  staticData: { crumb: 'Disks', isTab: true },
})

const sledMoves = createRoute({
  getParentRoute: () => sled,
  path: '/moves',
  component: lazyPage(() => import('./sled-moves-tab.tsx'), 'SledMovesTab'),
  staticData: { crumb: 'Moves', isTab: true },
})

const sledMaintenance = createRoute({
  getParentRoute: () => sled,
  path: '/maintenance',
  component: lazyPage(
    () => import('../sled-maintenance/sled-maintenance-tab.tsx'),
    'SledMaintenanceTab',
  ),
  staticData: { crumb: 'Maintenance', isTab: true },
})

export const sledRoutes = trail.addChildren([
  sled.addChildren([sledHome, sledInstances, sledDisks, sledMoves, sledMaintenance]),
])
