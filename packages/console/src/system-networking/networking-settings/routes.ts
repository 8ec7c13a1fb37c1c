import { createRoute } from '@tanstack/react-router'
import { apiQuery, prefetch } from '../../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'

const tab = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/settings',
  component: lazyPage(() => import('./settings-tab.tsx'), 'NetworkingSettingsTab'),
  loader: () =>
    prefetch(
      apiQuery('networkingInboundIcmpView', {}),
      apiQuery('systemNetworkingSettingsView', {}),
      apiQuery('networkingAllowListView', {}),
    ),
  staticData: { crumb: 'Settings', crumbTo: '/system/networking/settings', isTab: true },
})

export const networkingSettingsRoute = tab.addChildren({
  ...panelRoutes(tab, {
    '/allow-list': [
      'Edit allow list',
      lazyPage(() => import('../allow-list/allow-list-form.tsx'), 'AllowListForm'),
    ],
  }),
})
