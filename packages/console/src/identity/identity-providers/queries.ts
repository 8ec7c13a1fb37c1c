import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

/** All providers of a silo, in a single page. */
export const identityProvidersQuery = (silo: string) =>
  apiQuery('siloIdentityProviderList', { query: { silo, limit: ALL_ITEMS } })

export const identityProviderQuery = (silo: string, provider: string) =>
  apiQuery('samlIdentityProviderView', { path: { provider }, query: { silo } })

export const signInSettingsQuery = (silo: string, provider: string) =>
  apiQuery('samlSignInSettingsView', { path: { provider }, query: { silo } })

export const oidcProvidersQuery = (silo: string) =>
  apiQuery('oidcIdentityProviderList', { query: { silo, limit: ALL_ITEMS } })

export const oidcProviderQuery = (silo: string, provider: string) =>
  apiQuery('oidcIdentityProviderView', { path: { provider }, query: { silo } })

/** The login page of a provider, which also receives its responses. */
export const loginPath = (silo: string, provider: string): string =>
  `/login/${silo}/saml/${provider || 'idp-name'}`
