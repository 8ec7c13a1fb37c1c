import { createRoute, redirect } from '@tanstack/react-router'
import { optional, prefetch } from '../data/api.ts'
import { searchedRoute } from '../data/list-search.ts'
import { prefetchList } from '../data/lists.ts'
import { lazyPage } from '../page/lazy-page.ts'
import { systemRoute } from '../shell/routes.ts'
import { physicalDiskListDefinition, sledListDefinition } from './list.ts'
import {
  racksQuery,
  requestsQuery,
  sledDisksQuery,
  sledInstancesQuery,
  sledQuery,
  switchesQuery,
  waitingDisksQuery,
  waitingSledsQuery,
} from './queries.ts'

const crumb = { crumb: 'Inventory', crumbTo: '/system/inventory/sleds' }

export const inventoryHomeRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/inventory',
  beforeLoad: () => {
    throw redirect({ to: '/system/inventory/sleds', replace: true })
  },
})

const inventory = createRoute({
  getParentRoute: () => systemRoute,
  id: 'inventory',
  component: lazyPage(() => import('./inventory-page.tsx'), 'InventoryPage'),
  staticData: crumb,
})

const sleds = createRoute({
  getParentRoute: () => inventory,
  path: '/system/inventory/sleds',
  component: lazyPage(() => import('./sleds-tab.tsx'), 'SledsTab'),
  ...searchedRoute(sledListDefinition),
  loader: (visit) => prefetchList(sledListDefinition, {}, visit),
  staticData: { crumb: 'Sleds', isTab: true },
})

const disks = createRoute({
  getParentRoute: () => inventory,
  path: '/system/inventory/disks',
  component: lazyPage(() => import('./disks-tab.tsx'), 'DisksTab'),
  ...searchedRoute(physicalDiskListDefinition),
  loader: (visit) => prefetchList(physicalDiskListDefinition, {}, visit),
  staticData: { crumb: 'Disks', isTab: true },
})

const racks = createRoute({
  getParentRoute: () => inventory,
  path: '/system/inventory/racks',
  component: lazyPage(() => import('./racks-tab.tsx'), 'RacksTab'),
  loader: () => prefetch(optional(racksQuery), optional(switchesQuery)),
  staticData: { crumb: 'Racks and switches', isTab: true },
})

const waiting = createRoute({
  getParentRoute: () => inventory,
  path: '/system/inventory/waiting',
  component: lazyPage(() => import('./waiting-tab.tsx'), 'WaitingTab'),
  loader: () =>
    prefetch(optional(waitingSledsQuery), optional(waitingDisksQuery), optional(requestsQuery)),
  staticData: { crumb: 'Waiting to be added', isTab: true },
})

export const inventoryRoutes = inventory.addChildren([sleds, disks, racks, waiting])

/** The page of a sled is not drawn over the list, but its trail leads to it. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'inventory-crumb',
  staticData: crumb,
})

const sled = createRoute({
  getParentRoute: () => trail,
  path: '/system/inventory/sleds/$sledId',
  component: lazyPage(() => import('./sled-page.tsx'), 'SledPage'),
  loader: ({ params }) => prefetch(sledQuery(params.sledId)),
  staticData: {
    crumb: 'Sled',
    crumbTo: ({ sledId }) => `/system/inventory/sleds/${sledId}/instances`,
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

export const sledRoutes = trail.addChildren([
  sled.addChildren([sledHome, sledInstances, sledDisks]),
])
