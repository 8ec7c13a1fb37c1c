/** An OpenID Connect provider whose answers can be made wrong in every way. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

export const CLIENT_ID = 'steading'
export const CLIENT_SECRET = 'a secret with "signs" & spaces'

/** Deviations of the provider from the protocol. */
export interface Faults {
  /** Replaces fields of the configuration. */
  metadata?: object
  /** Replaces claims of the ID token. */
  claims?: JWTPayload
  /** Replaces fields of its header. */
  header?: { alg?: string; kid?: string; typ?: string }
  /** Builds the ID token from its claims. */
  token?: (claims: JWTPayload) => string | Promise<string>
  userinfo?: object
  /** Answers a path itself. */
  answer?: (path: string, response: ServerResponse) => boolean
}

export interface TestProvider {
  issuer: string
  faults: Faults
  /** Id of the present key. */
  kid: () => string
  /** Paths of the requests, the latest last. */
  asked: string[]
  /** Lets a user sign in at the address to which the browser was sent. @returns the code */
  authorize: (url: URL, claims?: JWTPayload) => string
  /** An ID token with these claims. */
  idToken: (claims: JWTPayload) => Promise<string>
  /** A logout token; fields of the arguments replace its own. */
  logoutToken: (
    claims: JWTPayload,
    header?: { alg?: string; kid?: string; typ?: string },
  ) => Promise<string>
  /** Signs with a new key from now on, which it publishes instead of the old one. */
  rotate: () => Promise<void>
  close: () => Promise<void>
}

export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const seconds = () => Math.floor(Date.now() / 1000)

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

export async function startOidcProvider(): Promise<TestProvider> {
  let keys = await generateKeyPair('RS256', { extractable: true })
  let kid = 'first'
  const codes = new Map<string, { url: URL; claims: JWTPayload }>()
  const asked: string[] = []
  const json = (response: ServerResponse, value: unknown, status = 200) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(value))
  const signed = (claims: JWTPayload, header: object = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(keys.privateKey)

  async function token(request: IncomingMessage, response: ServerResponse) {
    const body = await bodyOf(request)
    const found = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const credentials = `${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
    // The form encoding of RFC 6749 writes blanks as plus signs.
    const given = request.headers.authorization ?? ''
    const decoded = Buffer.from(given.slice(6), 'base64').toString().replaceAll('+', '%20')
    if (`Basic ${Buffer.from(decoded).toString('base64')}` !== basic) {
      return json(response, { error: 'invalid_client' }, 401)
    }
    const verifier = body.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (
      !found ||
      found.url.searchParams.get('code_challenge') !== challenge ||
      found.url.searchParams.get('redirect_uri') !== body.get('redirect_uri')
    ) {
      return json(response, { error: 'invalid_grant' }, 400)
    }
    const claims: JWTPayload = {
      iss: provider.issuer,
      aud: CLIENT_ID,
      sub: 'alice',
      iat: seconds(),
      exp: seconds() + 300,
      nonce: found.url.searchParams.get('nonce')!,
      ...found.claims,
      ...provider.faults.claims,
    }
    const id_token = provider.faults.token
      ? await provider.faults.token(claims)
      : await signed(claims, provider.faults.header)
    json(response, { access_token: 'access', token_type: 'Bearer', id_token })
  }

  const server = createServer((request, response) => {
    const path = request.url!
    asked.push(path)
    if (provider.faults.answer?.(path, response)) return
    if (path === '/.well-known/openid-configuration') {
      return json(response, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        userinfo_endpoint: `${provider.issuer}/userinfo`,
        jwks_uri: `${provider.issuer}/keys`,
        authorization_response_iss_parameter_supported: true,
        ...provider.faults.metadata,
      })
    }
    if (path === '/token') return void token(request, response)
    if (path === '/userinfo') return json(response, provider.faults.userinfo ?? { sub: 'alice' })
    if (path === '/keys') {
      return void exportJWK(keys.publicKey).then((key) =>
        json(response, { keys: [{ ...key, kid, use: 'sig', alg: 'RS256' }] }),
      )
    }
    json(response, {}, 404)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const provider: TestProvider = {
    issuer: `http://127.0.0.1:${port}`,
    faults: {},
    kid: () => kid,
    asked,
    authorize(url, claims = {}) {
      const code = crypto.randomUUID()
      codes.set(code, { url, claims })
      return code
    },
    idToken: (claims) => signed(claims),
    logoutToken: (claims, header) =>
      signed(
        {
          iss: provider.issuer,
          aud: CLIENT_ID,
          iat: seconds(),
          jti: crypto.randomUUID(),
          events: { [LOGOUT_EVENT]: {} },
          ...claims,
        },
        { typ: 'logout+jwt', ...header },
      ),
    async rotate() {
      keys = await generateKeyPair('RS256', { extractable: true })
      kid = crypto.randomUUID()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return provider
}

/** A token without a signature. */
export const unsigned = (claims: JWTPayload): string => new UnsecuredJWT(claims).encode()

/** A token signed with a text that both sides know. */
export const signedByText = (claims: JWTPayload, text: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(text))

/** The body that registers a provider with a silo. */
export const oidcProviderBody = (
  consoleUrl: string,
  silo: string,
  name: string,
  issuer: string,
  values: object = {},
) => ({
  name,
  description: '',
  issuer,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  scopes: ['openid', 'profile'],
  user_claim: 'sub',
  display_name_claim: 'name',
  groups_claim: 'groups',
  redirect_uri: `${consoleUrl}/login/${silo}/oidc/${name}/callback`,
  ...values,
})
