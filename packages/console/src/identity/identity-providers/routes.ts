import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'
import { identityProviderQuery, identityProvidersQuery } from './queries.ts'

const list = createRoute({
  getParentRoute: () => siloTabsRoute,
  id: 'idps',
  component: lazyPage(() => import('./identity-providers-tab.tsx'), 'IdentityProvidersTab'),
  loader: ({ params }) => prefetch(optional(identityProvidersQuery(params.silo))),
  staticData: {
    crumb: 'Identity Providers',
    crumbTo: ({ silo }) => `/system/silos/${silo}/idps`,
    isTab: true,
  },
})

const index = createRoute({ getParentRoute: () => list, path: '/idps' })

const create = createRoute({
  getParentRoute: () => list,
  path: '/idps-new',
  component: lazyPage(() => import('./identity-provider-create.tsx'), 'IdentityProviderCreate'),
  staticData: { crumb: 'New identity provider', titleOnly: true },
})

const view = createRoute({
  getParentRoute: () => list,
  path: '/idps/saml/$provider',
  component: lazyPage(() => import('./identity-provider-view.tsx'), 'IdentityProviderView'),
  loader: ({ params }) => prefetch(identityProviderQuery(params.silo, params.provider)),
  staticData: { crumb: 'Identity provider', titleOnly: true },
})

export const siloIdentityProviderRoutes = list.addChildren([index, create, view])
