import type { BlockList } from 'node:net'
import type { Oidc } from '@steading/control-plane/ports'

/**
 * OpenID Connect with `openid-client` and `jose`, which are loaded on first use, because they would
 * slow down every start.
 * @param networks in which providers may be, besides the public internet
 */
export function createOidc(networks?: BlockList): Oidc {
  let loaded: Promise<Oidc> | undefined
  const parts = () =>
    (loaded ??= import('./conversation.ts').then(({ conversations }) => conversations(networks)))
  return {
    discover: async (issuer) => (await parts()).discover(issuer),
    requestUrl: async (client, request) => (await parts()).requestUrl(client, request),
    redeem: async (...args) => (await parts()).redeem(...args),
    signOutUrl: async (...args) => (await parts()).signOutUrl(...args),
    readLogout: async (client, token) => (await parts()).readLogout(client, token),
  }
}
