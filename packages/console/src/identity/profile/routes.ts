import { createRoute } from '@tanstack/react-router'
import { ShieldCheck, User as UserIcon } from 'lucide-react'
import { apiQuery, optional, prefetch } from '../../data/api.ts'
import { currentGroupsQuery } from '../../data/session.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { settingsRoute } from '../../page/parent-routes.ts'

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  component: lazyPage(() => import('./profile-page.tsx'), 'ProfilePage'),
  validateSearch: (search: Record<string, unknown>): { password?: true } =>
    String(search.password) === 'true' ? { password: true } : {},
  loader: () => prefetch(currentGroupsQuery),
  staticData: { nav: { icon: UserIcon, shortcut: 'goProfile' }, crumb: 'Profile' },
})

export const signInSecurityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sign-in-security',
  component: lazyPage(
    () => import('../second-factors/sign-in-security-page.tsx'),
    'SignInSecurityPage',
  ),
  loader: () => prefetch(optional(apiQuery('signInSecurityView', {}))),
  staticData: {
    nav: { icon: ShieldCheck, shortcut: 'goSignInSecurity' },
    crumb: 'Sign-in Security',
    needs: 'secondFactors',
  },
})
