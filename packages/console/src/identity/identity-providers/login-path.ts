/** The login page of a provider, which is also where browsers bring its answers. */
export const loginPath = (silo: string, provider: string): string =>
  `/login/${silo}/saml/${provider || 'idp-name'}`
