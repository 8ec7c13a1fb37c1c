import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../page/lazy-page.ts'
import { icmpQuery, networkingSettingsQuery } from './queries.ts'

export const networkingSettingsRoute = createRoute({
  getParentRoute: () => connectivityRoute,
  path: '/system/networking/settings',
  component: lazyPage(() => import('./settings-tab.tsx'), 'SettingsTab'),
  loader: () => prefetch(icmpQuery, networkingSettingsQuery),
  staticData: { crumb: 'Settings', crumbTo: '/system/networking/settings', isTab: true },
})
