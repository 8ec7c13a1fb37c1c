import type { BlockList } from 'node:net'
import type { Oidc } from '@steading/control-plane/ports'
import type { OutgoingProxy } from '../outgoing/proxy.ts'

/**
 * OpenID Connect with `openid-client` and `jose`, which are loaded on first use, because they would
 * slow down every start.
 * @param networks in which providers may be, besides the public internet
 * @param proxy through which they are reached
 */
export function createOidc(networks?: BlockList, proxy?: OutgoingProxy): Oidc {
  let loaded: Promise<Oidc> | undefined
  const parts = () =>
    (loaded ??= import('./conversation.ts').then(({ conversations }) =>
      conversations(networks, proxy),
    ))
  return {
    discover: async (issuer) => (await parts()).discover(issuer),
    requestUrl: async (client, request) => (await parts()).requestUrl(client, request),
    redeem: async (...args) => (await parts()).redeem(...args),
    signOutUrl: async (...args) => (await parts()).signOutUrl(...args),
    readLogout: async (client, token) => (await parts()).readLogout(client, token),
  }
}
