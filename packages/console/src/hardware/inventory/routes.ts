import { createRoute, redirect } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import {
  physicalDiskListDefinition,
  sledListDefinition,
  racksQuery,
  requestsQuery,
  switchesQuery,
  waitingDisksQuery,
  waitingSledsQuery,
} from './queries.ts'

const crumb = { crumb: 'Inventory', crumbTo: '/system/inventory/sleds' } as const

export const inventoryHomeRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/inventory',
  staticData: { nav: { icon: Server, label: 'Inventory' } },
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
