import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'
import { identityProviderQuery, oidcProviderQuery, providerListDefinition } from './queries.ts'

const { list, index } = listRoutes(siloTabsRoute, 'idps', '/idps', {
  list: providerListDefinition,
  crumb: 'Identity Providers',
  isTab: true,
  page: lazyPage(() => import('./identity-providers-tab.tsx'), 'IdentityProvidersTab'),
})

export const siloIdentityProviderRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/idps-new': [
      'New identity provider',
      lazyPage(() => import('./identity-provider-create.tsx'), 'IdentityProviderCreate'),
    ],
    '/idps/saml/$provider': [
      'Identity provider',
      lazyPage(() => import('./identity-provider-view.tsx'), 'IdentityProviderView'),
      (params) => prefetch(identityProviderQuery(params.silo, params.provider)),
    ],
    '/idps-new-oidc': [
      'New OpenID Connect provider',
      lazyPage(() => import('./oidc-provider-forms.tsx'), 'OidcProviderCreate'),
    ],
    '/idps/oidc/$provider': [
      'OpenID Connect provider',
      lazyPage(() => import('./oidc-provider-forms.tsx'), 'OidcProviderEdit'),
      (params) => prefetch(oidcProviderQuery(params.silo, params.provider)),
    ],
  }),
})
