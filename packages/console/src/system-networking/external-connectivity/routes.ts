import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'

/** The page of external connectivity, the parent of its tabs. */
export const connectivityRoute = createRoute({
  getParentRoute: () => systemRoute,
  id: 'external-connectivity',
  component: lazyPage(() => import('./connectivity-page.tsx'), 'ConnectivityPage'),
  staticData: { crumb: 'External Connectivity', crumbTo: '/system/networking/connectivity' },
})
