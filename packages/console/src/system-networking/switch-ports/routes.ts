import { createRoute } from '@tanstack/react-router'
import { optional, prefetch, prefetchForAMoment, queryClient } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { allPortSettingsQuery } from '../switch-port-settings/queries.ts'
import {
  switchPortListDefinition,
  lldpQuery,
  neighborsQuery,
  portQuery,
  statusQuery,
} from './queries.ts'

const crumb = { crumb: 'Switch Ports', crumbTo: '/system/networking/switch-ports' }

export const switchPortListRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/switch-ports',
  component: lazyPage(() => import('./switch-ports-tab.tsx'), 'SwitchPortsTab'),
  ...searchedRoute(switchPortListDefinition),
  loader: async (visit) => {
    await Promise.all([
      prefetchList(switchPortListDefinition, {}, visit),
      prefetch(optional(allPortSettingsQuery)),
    ])
  },
  staticData: { ...crumb, isTab: true },
})

/** The page of a port does not render inside the tabs, but its breadcrumbs include them. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'switch-ports-crumb',
  staticData: crumb,
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/networking/switch-ports/$switchPort',
  component: lazyPage(() => import('./switch-port-page.tsx'), 'SwitchPortPage'),
  loader: async ({ params: { switchPort } }) => {
    await prefetch(portQuery(switchPort))
    const port = await queryClient.ensureQueryData(portQuery(switchPort))
    await prefetch(optional(statusQuery(port)), optional(neighborsQuery(port)))
  },
  staticData: {
    crumb: 'Switch port',
    crumbTo: ({ switchPort }) => `/system/networking/switch-ports/${switchPort}`,
  },
})

const apply = createRoute({
  getParentRoute: () => page,
  path: '/apply',
  component: lazyPage(() => import('./apply-form.tsx'), 'ApplyForm'),
  loader: () => prefetchForAMoment(allPortSettingsQuery),
  staticData: { crumb: 'Apply port settings', titleOnly: true },
})

const lldp = createRoute({
  getParentRoute: () => page,
  path: '/lldp',
  component: lazyPage(() => import('./lldp-form.tsx'), 'LldpForm'),
  loader: async ({ params: { switchPort } }) => {
    const port = await queryClient.ensureQueryData(portQuery(switchPort))
    await prefetch(lldpQuery(port))
  },
  staticData: { crumb: 'Edit LLDP', titleOnly: true },
})

export const switchPortRoutes = trail.addChildren([page.addChildren([apply, lldp])])
