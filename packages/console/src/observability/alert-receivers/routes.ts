import type { AlertReceiver } from '@steading/api/client'
import { createRoute } from '@tanstack/react-router'
import { deliveriesQuery } from '../alerts/queries.ts'
import { optional, prefetch, queryClient } from '../../data/api.ts'
import { alertsRoute } from '../alerts/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { receiverListDefinition, receiverQuery } from './queries.ts'

const { list, index, crumb } = listRoutes(
  alertsRoute,
  'alert-receivers',
  '/system/alert-receivers',
  {
    list: receiverListDefinition,
    crumb: 'Receivers',
    isTab: true,
    page: lazyPage(() => import('./receivers-tab.tsx'), 'ReceiversTab'),
  },
)

export const receiverListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/system/alert-receivers-new': [
      'New receiver',
      lazyPage(() => import('./receiver-create.tsx'), 'ReceiverCreateForm'),
    ],
  }),
})

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
  staticData: { crumb: ({ receiver }) => receiver! },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

export const receiverRoutes = trail.addChildren([
  page.addChildren({
    pageIndex,
    ...panelRoutes(page, {
      '/edit': ['Edit receiver', lazyPage(() => import('./receiver-edit.tsx'), 'ReceiverEditForm')],
      '/subscriptions-add': [
        'Add subscription',
        lazyPage(() => import('./subscription-form.tsx'), 'SubscriptionForm'),
      ],
      '/secrets-add': ['Add secret', lazyPage(() => import('./secret-form.tsx'), 'SecretForm')],
    }),
  }),
])
