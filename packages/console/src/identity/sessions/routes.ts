import { createRoute } from '@tanstack/react-router'
import { MonitorSmartphone } from 'lucide-react'
import { apiQuery, optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { settingsRoute } from '../../page/parent-routes.ts'

export const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sessions',
  component: lazyPage(() => import('./sessions-page.tsx'), 'SessionsPage'),
  loader: () => prefetch(optional(apiQuery('currentUserSessionList', {}))),
  staticData: {
    nav: { icon: MonitorSmartphone, shortcut: 'goSessions' },
    crumb: 'Sessions',
    needs: 'sessions',
  },
})
