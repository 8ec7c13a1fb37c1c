import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'
import { scimTokensQuery } from './queries.ts'

export const siloScimRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/scim',
  component: lazyPage(() => import('./scim-tab.tsx'), 'ScimTab'),
  loader: ({ params }) => prefetch(scimTokensQuery(params.silo)),
  staticData: { crumb: 'SCIM', isTab: true },
})
