import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../../../data/api.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { siloTabsRoute } from '../../../tenancy/silos/routes.ts'
import { usersQuery } from '../queries.ts'

export const siloUsersRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/users',
  component: lazyPage(() => import('./users-tab.tsx'), 'SiloUsersTab'),
  loader: ({ params: { silo } }) => prefetch(optional(usersQuery({ silo }))),
  staticData: { crumb: 'Users', isTab: true, needs: 'users' },
})
