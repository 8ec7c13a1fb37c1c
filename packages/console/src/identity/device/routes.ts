import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../page/lazy-page.ts'
import { rootRoute } from '../../page/parent-routes.ts'

export const deviceVerifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device/verify',
  component: lazyPage(() => import('./device-pages.tsx'), 'DeviceVerifyPage'),
})

export const deviceSuccessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device/success',
  component: lazyPage(() => import('./device-pages.tsx'), 'DeviceSuccessPage'),
})
