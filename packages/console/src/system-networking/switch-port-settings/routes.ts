import { createRoute } from '@tanstack/react-router'
import { allLotsQuery } from '../address-lots/queries.ts'
import { allConfigsQuery } from '../bgp/queries.ts'
import { optional, prefetch, prefetchForAMoment } from '../../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { portSettingsListDefinition, detailsQuery } from './queries.ts'

const { list, index, crumb } = listRoutes(
  connectivityRoute,
  'port-settings',
  '/system/networking/port-settings',
  {
    list: portSettingsListDefinition,
    crumb: 'Port Settings',
    isTab: true,
    page: lazyPage(() => import('./port-settings-tab.tsx'), 'PortSettingsTab'),
  },
)

export const portSettingsListRoute = list.addChildren({ index })

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
  staticData: { crumb: ({ portSettings }) => portSettings! },
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
