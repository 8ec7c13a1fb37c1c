/** An independent OpenID Connect provider (`oidc-provider`), with a page that chooses the user. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { CLIENT_ID, CLIENT_SECRET } from './provider.ts'

export interface IndependentProvider {
  issuer: string
  close: () => Promise<void>
}

/** Its users, and their groups. */
export const accounts: Record<string, string[]> = {
  ada: ['engineers', 'admins'],
  vera: ['tasters'],
}

const html = (body: string) =>
  `<!doctype html><html lang="en"><title>Provider</title><main>${body}</main></html>`

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  return (server.address() as AddressInfo).port
}

/**
 * @param redirectUri of the one registered client
 * @param logoutUri its address for back-channel logout
 */
export async function startIndependentProvider(
  redirectUri: string,
  logoutUri: string,
): Promise<IndependentProvider> {
  const server = createServer()
  const issuer = `http://localhost:${await listening(server)}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [redirectUri.replace(/\/callback$/, '/signed-out')],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
      },
    ],
    cookies: { keys: ['one key of the test'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name', 'groups'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `${id} of the provider`, groups: accounts[id] ?? [] }),
    }),
    interactions: { url: (_, { uid }) => `/choose/${uid}` },
    async loadExistingGrant({ oidc }) {
      const { client, session, provider: own, params } = oidc
      const grant = new own.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
      grant.addOIDCScope(String(params!.scope))
      await grant.save()
      return grant
    },
    // The provider's own dispatcher connects to public addresses only, and its signal aborts after
    // 2.5 s: a busy machine would lose back-channel logouts.
    fetch: (url, options) => {
      const { method, headers, body } = options ?? {}
      return fetch(url, { method, headers, body } as RequestInit)
    },
  })
  // Otherwise silent: the provider's page does not mention the failure.
  provider.on('backchannel.error', (_, error, { clientId }) =>
    console.error(`back-channel logout of ${clientId} failed`, error),
  )
  const callback = provider.callback()
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url!, issuer)
    const [, uid, account] = /^\/choose\/([\w-]+)(?:\/as\/(\w+))?$/.exec(pathname) ?? []
    if (!uid) return void callback(request, response)
    if (account) {
      const result = { login: { accountId: account } }
      return void provider.interactionFinished(request, response, result)
    }
    const links = Object.keys(accounts).map(
      (id) => `<p><a href="/choose/${uid}/as/${id}">${id}</a></p>`,
    )
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(html(`<h1>Who are you?</h1>${links.join('')}`))
  })
  return {
    issuer,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
