import { createRoute } from '@tanstack/react-router'
import { optional, prefetch, prefetchForAMoment, queryClient } from '../../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { allPortSettingsQuery } from '../switch-port-settings/queries.ts'
import {
  switchPortListDefinition,
  lldpQuery,
  neighborsQuery,
  portQuery,
  statusQuery,
} from './queries.ts'

const { list, index, crumb } = listRoutes(
  connectivityRoute,
  'switch-ports',
  '/system/networking/switch-ports',
  {
    list: switchPortListDefinition,
    crumb: 'Switch Ports',
    isTab: true,
    page: lazyPage(() => import('./switch-ports-tab.tsx'), 'SwitchPortsTab'),
    load: () => prefetch(optional(allPortSettingsQuery)),
  },
)

export const switchPortListRoute = list.addChildren({ index })

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
  staticData: { crumb: 'Switch port' },
})

export const switchPortRoutes = trail.addChildren([
  page.addChildren({
    ...panelRoutes(page, {
      '/apply': [
        'Apply port settings',
        lazyPage(() => import('./apply-form.tsx'), 'ApplyForm'),
        () => prefetchForAMoment(allPortSettingsQuery),
      ],
      '/lldp': [
        'Edit LLDP',
        lazyPage(() => import('./lldp-form.tsx'), 'LldpForm'),
        async ({ switchPort }) => {
          const port = await queryClient.ensureQueryData(portQuery(switchPort))
          await prefetch(lldpQuery(port))
        },
      ],
    }),
  }),
])
