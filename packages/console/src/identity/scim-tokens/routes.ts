import { createRoute } from '@tanstack/react-router'
import { apiQueryErrorsAllowed, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'

export const siloScimRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/scim',
  component: lazyPage(() => import('./scim-tab.tsx'), 'ScimTab'),
  loader: ({ params }) =>
    prefetch(apiQueryErrorsAllowed('scimTokenList', { query: { silo: params.silo } })),
  staticData: { crumb: 'SCIM', isTab: true },
})
