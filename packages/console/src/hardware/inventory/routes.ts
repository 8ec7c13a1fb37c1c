import { createRoute, redirect } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { poolsNeed } from '../../storage/storage-pools/choices.ts'
import { poolListDefinition } from '../../storage/storage-pools/queries.ts'
import { hostListDefinition, hostsNeed } from '../hosts/queries.ts'
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

const sleds = listRoutes(inventory, 'sleds', '/system/inventory/sleds', {
  list: sledListDefinition,
  crumb: 'Sleds',
  isTab: true,
  page: lazyPage(() => import('./sleds-tab.tsx'), 'SledsTab'),
})

const disks = listRoutes(inventory, 'disks', '/system/inventory/disks', {
  list: physicalDiskListDefinition,
  crumb: 'Disks',
  isTab: true,
  page: lazyPage(() => import('./disks-tab.tsx'), 'DisksTab'),
})

const hosts = listRoutes(inventory, 'hosts', '/system/inventory/hosts', {
  list: hostListDefinition,
  crumb: 'Hosts',
  isTab: true,
  ...hostsNeed[0],
  page: lazyPage(() => import('../hosts/hosts-tab.tsx'), 'HostsTab'),
})

const pools = listRoutes(inventory, 'storage-pools', '/system/inventory/storage-pools', {
  list: poolListDefinition,
  crumb: 'Storage pools',
  isTab: true,
  ...poolsNeed[0],
  page: lazyPage(() => import('../../storage/storage-pools/pools-tab.tsx'), 'PoolsTab'),
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

export const inventoryRoutes = inventory.addChildren([
  sleds.list.addChildren({ index: sleds.index }),
  disks.list.addChildren({ index: disks.index }),
  hosts.list.addChildren({
    index: hosts.index,
    ...panelRoutes(hosts.list, {
      '/system/inventory/hosts-new': [
        'Add host',
        lazyPage(() => import('../hosts/host-forms.tsx'), 'HostCreateForm'),
      ],
    }),
  }),
  pools.list.addChildren({
    index: pools.index,
    ...panelRoutes(pools.list, {
      '/system/inventory/storage-pools-new': [
        'Add storage pool',
        lazyPage(() => import('../../storage/storage-pools/pool-forms.tsx'), 'PoolCreateForm'),
      ],
    }),
  }),
  racks,
  waiting,
])
