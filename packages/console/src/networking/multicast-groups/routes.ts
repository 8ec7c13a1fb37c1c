import { createRoute } from '@tanstack/react-router'
import { RadioTower } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { ipPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute } from '../../page/parent-routes.ts'
import { multicastGroupListDefinition, multicastGroupQuery } from './queries.ts'

const crumb = { crumb: 'Multicast Groups', crumbTo: '/multicast-groups' }

export const multicastGroupListRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/multicast-groups',
  component: lazyPage(() => import('./multicast-groups-page.tsx'), 'MulticastGroupsPage'),
  ...searchedRoute(multicastGroupListDefinition),
  loader: (visit) => prefetchList(multicastGroupListDefinition, {}, visit),
  staticData: {
    nav: { icon: RadioTower, shortcut: 'goMulticastGroups', onlyFor: 'multicast' },
    crumb: 'Multicast Groups',
  },
})

/** The page of a group does not render inside the list, but its breadcrumbs include the list. */
const trail = createRoute({
  getParentRoute: () => siloRoute,
  id: 'multicast-groups-crumb',
  staticData: crumb,
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/multicast-groups/$group',
  component: lazyPage(() => import('./group-page.tsx'), 'MulticastGroupPage'),
  loader: ({ params: { group } }) => prefetch(multicastGroupQuery(group), optional(ipPoolsQuery)),
  staticData: { crumb: ({ group }) => group! },
})

export const multicastGroupRoutes = trail.addChildren([page])
