import { createRoute } from '@tanstack/react-router'
import { allLotsQuery } from '../address-lots/queries.ts'
import { allConfigsQuery } from '../bgp/queries.ts'
import { optional, prefetch, prefetchForAMoment } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { portSettingsListDefinition, detailsQuery } from './queries.ts'

const crumb = { crumb: 'Port Settings', crumbTo: '/system/networking/port-settings' }

export const portSettingsListRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/port-settings',
  component: lazyPage(() => import('./port-settings-tab.tsx'), 'PortSettingsTab'),
  ...searchedRoute(portSettingsListDefinition),
  loader: (visit) => prefetchList(portSettingsListDefinition, {}, visit),
  staticData: { ...crumb, isTab: true },
})

/** The pages of settings do not render inside the tabs, but their breadcrumbs include them. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'port-settings-crumb',
  staticData: crumb,
})

const create = createRoute({
  getParentRoute: () => trail,
  path: '/system/networking/port-settings-new',
  component: lazyPage(() => import('./settings-form-pages.tsx'), 'PortSettingsCreatePage'),
  loader: () => prefetchForAMoment(allLotsQuery, allConfigsQuery),
  staticData: { crumb: 'New port settings' },
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/networking/port-settings/$portSettings',
  component: lazyPage(() => import('./port-settings-page.tsx'), 'PortSettingsPage'),
  loader: ({ params }) => prefetch(detailsQuery(params.portSettings)),
  staticData: {
    crumb: ({ portSettings }) => portSettings!,
    crumbTo: ({ portSettings }) => `/system/networking/port-settings/${portSettings}`,
  },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/system/networking/port-settings/$portSettings/edit',
  component: lazyPage(() => import('./settings-form-pages.tsx'), 'PortSettingsEditPage'),
  loader: ({ params }) =>
    prefetch(detailsQuery(params.portSettings), optional(allLotsQuery), optional(allConfigsQuery)),
  staticData: { crumb: 'Edit port settings' },
})

export const portSettingsRoutes = trail.addChildren([create, page, edit])
