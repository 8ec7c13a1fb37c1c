import { createRoute } from '@tanstack/react-router'
import { policyQuery } from '../policy-query.ts'
import { optional, prefetch } from '../../../data/api.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { siloTabsRoute } from '../../../tenancy/silos/routes.ts'

export const siloAccessTabRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/access',
  component: lazyPage(() => import('./access-tab.tsx'), 'SiloAccessTab'),
  loader: ({ params: { silo } }) => prefetch(optional(policyQuery({ level: 'silo', silo }))),
  staticData: { crumb: 'Access', isTab: true },
})
