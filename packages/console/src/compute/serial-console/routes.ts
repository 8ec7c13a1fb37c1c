import { createRoute } from '@tanstack/react-router'
import { currentCapabilities } from '../../data/capabilities.ts'
import { instanceRoute } from '../instances/instance-route.ts'
import { lazyPage } from '../../page/lazy-page.ts'

/** A page below the instance, without its header and tabs; and so is the screen. */
export const serialConsoleRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/serial-console',
  component: lazyPage(() => import('./serial-console-page.tsx'), 'SerialConsolePage'),
  loader: currentCapabilities,
  staticData: { crumb: 'Serial Console' },
})

export const displayRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/display',
  component: lazyPage(() => import('../display/display-page.tsx'), 'DisplayPage'),
  loader: currentCapabilities,
  staticData: { crumb: 'Screen', needs: 'display' },
})
