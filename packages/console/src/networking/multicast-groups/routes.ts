import { createRoute } from '@tanstack/react-router'
import { RadioTower } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { siloIpPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes } from '../../page/routes.ts'
import { siloRoute } from '../../page/parent-routes.ts'
import { multicastGroupListDefinition, multicastGroupQuery } from './queries.ts'

const { list, index, trail } = listRoutes(siloRoute, 'multicast-groups', '/multicast-groups', {
  list: multicastGroupListDefinition,
  crumb: 'Multicast Groups',
  nav: { icon: RadioTower, shortcut: 'goMulticastGroups', onlyFor: 'multicast' },
  page: lazyPage(() => import('./multicast-groups-page.tsx'), 'MulticastGroupsPage'),
})

export const multicastGroupListRoute = list.addChildren({ index })

const page = createRoute({
  getParentRoute: () => trail,
  path: '/multicast-groups/$group',
  component: lazyPage(() => import('./group-page.tsx'), 'MulticastGroupPage'),
  loader: ({ params: { group } }) =>
    prefetch(multicastGroupQuery(group), optional(siloIpPoolsQuery)),
  staticData: { crumb: ({ group }) => group! },
})

export const multicastGroupRoutes = trail.addChildren([page])
