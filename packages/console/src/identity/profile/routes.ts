import { createRoute } from '@tanstack/react-router'
import { User as UserIcon } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { currentGroupsQuery } from '../../data/session.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { settingsRoute } from '../../page/parent-routes.ts'

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  component: lazyPage(() => import('./profile-page.tsx'), 'ProfilePage'),
  validateSearch: (search: Record<string, unknown>): { password?: true } =>
    search.password === true ? { password: true } : {},
  loader: () => prefetch(currentGroupsQuery),
  staticData: { nav: { icon: UserIcon, shortcut: 'goProfile' }, crumb: 'Profile' },
})
