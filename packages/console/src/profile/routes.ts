import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../page/lazy-page.ts'
import { settingsRoute } from '../shell/routes.ts'

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  component: lazyPage(() => import('./profile-page.tsx'), 'ProfilePage'),
  staticData: { crumb: 'Profile' },
})
