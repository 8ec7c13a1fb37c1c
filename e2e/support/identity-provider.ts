/**
 * An independent identity provider (`samlp`), on another site than the console: a page on which a
 * visitor chooses a user.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import samlp from 'samlp'
import { provider } from '../../packages/control-plane/test/support/saml/keys.ts'

export interface IdentityProvider {
  /** URL of its metadata. */
  metadataUrl: string
  entityId: string
  close: () => Promise<void>
}

/** Its users: their groups, and faults in their responses. */
export const people: Record<string, { groups: string[]; alter?: (xml: string) => string }> = {
  ada: { groups: ['engineers', 'admins'] },
  vera: { groups: ['tasters'] },
  // The response is modified after signing.
  mallory: { groups: [], alter: (xml) => xml.replaceAll('mallory', 'ada') },
}

const entityId = 'urn:example:idp'

/** Claims of the provider about a user. */
function profileMapper(user: { id: string; groups: string[] }) {
  return {
    getClaims: () => ({ groups: user.groups }),
    getNameIdentifier: () => ({ nameIdentifier: user.id }),
  }
}
profileMapper.prototype.metadata = []

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const html = (response: ServerResponse, body: string) =>
  void response
    .setHeader('content-type', 'text/html; charset=utf-8')
    .end(`<!doctype html><html lang="en"><title>Provider</title><main>${body}</main></html>`)

/** @param acs destination of its responses */
export async function startIdentityProvider(acs: string): Promise<IdentityProvider> {
  const options = { issuer: entityId, cert: provider.certificate, key: provider.key, profileMapper }
  const metadata = samlp.metadata({
    ...options,
    redirectEndpointPath: '/sso',
    postEndpointPath: '/sso',
  })
  const server = createServer((request, response) => {
    const url = new URL(request.url!, `http://${request.headers.host}`)
    const asExpress = Object.assign(request, {
      query: Object.fromEntries(url.searchParams),
      protocol: 'http',
      originalUrl: request.url,
    })
    const answer = Object.assign(response, {
      set: (name: string, value: string) => void response.setHeader(name, value),
      send: (body: string) => void response.end(body),
    })
    if (url.pathname === '/metadata') return metadata(asExpress, answer, () => {})
    if (url.pathname === '/sso') {
      const links = Object.keys(people).map(
        (id) => `<p><a href="${escaped(`/as/${id}${url.search}`)}">${id}</a></p>`,
      )
      return html(response, `<h1>Who are you?</h1>${links.join('')}`)
    }
    const id = /^\/as\/(\w+)$/.exec(url.pathname)?.[1]
    const person = id ? people[id] : undefined
    if (!person) return void response.writeHead(404).end()
    const auth = samlp.auth({
      ...options,
      destination: acs,
      recipient: acs,
      signResponse: true,
      getPostURL: (_audience, _request, _from, done) => done(null, acs),
      responseHandler(signed, { postUrl }, { query }, _answer) {
        const xml = (person.alter ?? String)(signed.toString())
        const field = (name: string, value: string) =>
          `<input type="hidden" name="${name}" value="${escaped(value)}">`
        html(
          response,
          `<form method="post" action="${escaped(postUrl)}">${field('SAMLResponse', Buffer.from(xml).toString('base64'))}${field('RelayState', query.RelayState ?? '')}</form><script>document.forms[0].submit()</script>`,
        )
      },
    })
    auth(Object.assign(asExpress, { user: { id, ...person } }), answer, (error) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  const { port } = server.address() as AddressInfo
  return {
    // The console is at 127.0.0.1, which is another site for a browser.
    metadataUrl: `http://localhost:${port}/metadata`,
    entityId,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
