import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { panelRoutes } from '../../page/routes.ts'
import { hostFencingQuery, hostQuery, hostsNeed, hostStoryQuery } from './queries.ts'

/** The page of a host does not render inside the inventory, but its breadcrumbs include it. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'hosts-crumb',
  staticData: { crumb: 'Inventory', crumbTo: '/system/inventory/hosts', ...hostsNeed[0] },
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/inventory/hosts/$host',
  component: lazyPage(() => import('./host-page.tsx'), 'HostPage'),
  loader: ({ params: { host } }) =>
    prefetch(hostQuery(host), hostFencingQuery(host), hostStoryQuery(host)),
  staticData: { crumb: 'Host' },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

export const hostRoutes = trail.addChildren([
  page.addChildren({
    pageIndex,
    ...panelRoutes(page, {
      '/fencing': [
        'Fencing method',
        lazyPage(() => import('./fencing-form.tsx'), 'HostFencingForm'),
      ],
      '/edit': ['Change address', lazyPage(() => import('./host-forms.tsx'), 'HostEditForm')],
    }),
  }),
])
