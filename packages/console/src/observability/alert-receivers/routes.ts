import type { AlertReceiver } from '@steading/api/client'
import { createRoute } from '@tanstack/react-router'
import { deliveriesQuery } from '../alerts/queries.ts'
import { optional, prefetch, queryClient } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { alertsRoute } from '../alerts/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { receiverListDefinition, receiverQuery } from './queries.ts'

const crumb = { crumb: 'Receivers', crumbTo: '/system/alert-receivers' }

const list = createRoute({
  getParentRoute: () => alertsRoute,
  id: 'alert-receivers',
  component: lazyPage(() => import('./receivers-tab.tsx'), 'ReceiversTab'),
  ...searchedRoute(receiverListDefinition),
  loader: (visit) => prefetchList(receiverListDefinition, {}, visit),
  staticData: { ...crumb, isTab: true },
})

const index = createRoute({ getParentRoute: () => list, path: '/system/alert-receivers' })

const create = createRoute({
  getParentRoute: () => list,
  path: '/system/alert-receivers-new',
  component: lazyPage(() => import('./receiver-create.tsx'), 'ReceiverCreateForm'),
  staticData: { crumb: 'New receiver', titleOnly: true },
})

export const receiverListRoutes = list.addChildren([index, create])

/** A receiver's page replaces the list, but the breadcrumbs include the list. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'alert-receivers-crumb',
  staticData: crumb,
})

const tabs = ['subscriptions', 'secrets'] as const
type Tab = (typeof tabs)[number]

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/alert-receivers/$receiver',
  component: lazyPage(() => import('./receiver-page.tsx'), 'ReceiverPage'),
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: Tab } =>
    tabs.includes(tab as Tab) ? { tab: tab as Tab } : {},
  loader: async ({ params: { receiver } }) => {
    const query = receiverQuery(receiver)
    await prefetch(query)
    const { id } = queryClient.getQueryData<AlertReceiver>(query.queryKey)!
    await prefetch(optional(deliveriesQuery({ receiver: id })))
  },
  staticData: {
    crumb: ({ receiver }) => receiver!,
    crumbTo: ({ receiver }) => `/system/alert-receivers/${receiver}`,
  },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

const edit = createRoute({
  getParentRoute: () => page,
  path: '/edit',
  component: lazyPage(() => import('./receiver-edit.tsx'), 'ReceiverEditForm'),
  staticData: { crumb: 'Edit receiver', titleOnly: true },
})

const addSubscription = createRoute({
  getParentRoute: () => page,
  path: '/subscriptions-add',
  component: lazyPage(() => import('./subscription-form.tsx'), 'SubscriptionForm'),
  staticData: { crumb: 'Add subscription', titleOnly: true },
})

const addSecret = createRoute({
  getParentRoute: () => page,
  path: '/secrets-add',
  component: lazyPage(() => import('./secret-form.tsx'), 'SecretForm'),
  staticData: { crumb: 'Add secret', titleOnly: true },
})

export const receiverRoutes = trail.addChildren([
  page.addChildren([pageIndex, edit, addSubscription, addSecret]),
])
