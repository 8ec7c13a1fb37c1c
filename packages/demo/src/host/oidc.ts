import { oidcMessages as messages } from '@steading/api/rules'
import { type Oidc, OidcError } from '@steading/control-plane/ports'

/** Issuer of the seeded provider. */
export const DEMO_ISSUER = 'https://sign-in.harbour-office.example'

/** A page cannot talk to providers: they permit no calls of other sites. */
const outside = () => new OidcError(messages.unreachable('this demo runs inside of a page'), true)

/**
 * OpenID Connect for showing providers and their settings. Nobody can sign in through them, and the
 * sign-in page says so.
 */
export const demoOidc: Oidc = {
  discover: async (issuer) => {
    if (issuer !== DEMO_ISSUER) throw outside()
  },
  requestUrl: () => Promise.reject(outside()),
  redeem: () => Promise.reject(outside()),
  signOutUrl: async () => undefined,
  readLogout: () => Promise.reject(outside()),
}
