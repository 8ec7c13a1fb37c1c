import { createRoute } from '@tanstack/react-router'
import { instanceRoute } from '../instances/routes.ts'
import { lazyPage } from '../shell/lazy-page.ts'

/** A page of the instance, without its header and tabs. */
export const serialConsoleRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/serial-console',
  component: lazyPage(() => import('./serial-console-page.tsx'), 'SerialConsolePage'),
  staticData: { crumb: 'Serial Console' },
})
