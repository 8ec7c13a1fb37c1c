import { providerProtocols } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import { joinedWith } from '../../data/joined-list.ts'
import type { ListDefinition } from '../../data/lists.ts'

/** The providers of a silo, of both protocols. */
export const providerListDefinition: ListDefinition<
  'siloIdentityProviderList' | 'oidcIdentityProviderSearch'
> = {
  kind: 'saml_identity_provider',
  id: 'identity-providers',
  operation: 'siloIdentityProviderList',
  joined: joinedWith({
    kind: 'oidc_identity_provider',
    operation: 'oidcIdentityProviderSearch',
  }),
  filters: { type: providerProtocols },
}

export const identityProviderQuery = (silo: string, provider: string) =>
  apiQuery('samlIdentityProviderView', { path: { provider }, query: { silo } })

export const oidcProviderQuery = (silo: string, provider: string) =>
  apiQuery('oidcIdentityProviderView', { path: { provider }, query: { silo } })

/** The login page of a provider, which also receives its responses. */
export const loginPath = (silo: string, provider: string): string =>
  `/login/${silo}/saml/${provider || 'idp-name'}`
