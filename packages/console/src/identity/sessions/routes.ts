import { createRoute } from '@tanstack/react-router'
import { MonitorSmartphone } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { settingsRoute } from '../../page/parent-routes.ts'
import { sessionsQuery } from './queries.ts'

export const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sessions',
  component: lazyPage(() => import('./sessions-page.tsx'), 'SessionsPage'),
  loader: () => prefetch(optional(sessionsQuery)),
  staticData: {
    nav: { icon: MonitorSmartphone, shortcut: 'goSessions' },
    crumb: 'Sessions',
    needs: 'sessions',
  },
})
