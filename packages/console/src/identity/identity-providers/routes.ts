import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'
import { identityProviderQuery, oidcProviderQuery, providerListDefinition } from './queries.ts'

const list = createRoute({
  getParentRoute: () => siloTabsRoute,
  id: 'idps',
  component: lazyPage(() => import('./identity-providers-tab.tsx'), 'IdentityProvidersTab'),
  ...searchedRoute(providerListDefinition),
  loader: ({ params: { silo }, ...visit }) => prefetchList(providerListDefinition, { silo }, visit),
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

const createOidc = createRoute({
  getParentRoute: () => list,
  path: '/idps-new-oidc',
  component: lazyPage(() => import('./oidc-provider-forms.tsx'), 'OidcProviderCreate'),
  staticData: { crumb: 'New OpenID Connect provider', titleOnly: true },
})

const editOidc = createRoute({
  getParentRoute: () => list,
  path: '/idps/oidc/$provider',
  component: lazyPage(() => import('./oidc-provider-forms.tsx'), 'OidcProviderEdit'),
  loader: ({ params }) => prefetch(oidcProviderQuery(params.silo, params.provider)),
  staticData: { crumb: 'OpenID Connect provider', titleOnly: true },
})

export const siloIdentityProviderRoutes = list.addChildren([
  index,
  create,
  view,
  createOidc,
  editOidc,
])
