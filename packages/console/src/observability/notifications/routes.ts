import { createRoute } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { currentCapabilities } from '../../data/capabilities.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, rootRoute, settingsRoute } from '../../page/parent-routes.ts'
import { notificationsQuery, subscriptionsQuery } from './queries.ts'

const page = { crumb: 'Notifications', needs: 'notifications' } as const

export const notificationsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/notifications',
  component: lazyPage(() => import('./notifications-page.tsx'), 'NotificationsPage'),
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: 'subscriptions' } =>
    tab === 'subscriptions' ? { tab } : {},
  loader: () => prefetch(optional(notificationsQuery({}))),
  staticData: { nav: { icon: Bell }, ...page },
})

export const projectNotificationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/notifications',
  component: lazyPage(() => import('./notifications-page.tsx'), 'ProjectNotificationsPage'),
  loader: ({ params: { project } }) => prefetch(optional(subscriptionsQuery(project))),
  staticData: { nav: { group: 'observe', icon: Bell }, ...page },
})

/** The link of a mail, for people who are not signed in. */
export const mailLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/mail-link/$token',
  component: lazyPage(() => import('./mail-link-page.tsx'), 'MailLinkPage'),
  // Without notifications there are no such links.
  loader: currentCapabilities,
})
