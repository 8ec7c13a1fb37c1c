/** Discovery, sign-in and logout tokens of OpenID Connect providers. */
import type { BlockList } from 'node:net'
import {
  issuerOf,
  OIDC_CLOCK_SKEW_S,
  OIDC_DISCOVERY_MS,
  OIDC_FETCH_MS,
  OIDC_KEYS_MS,
  OIDC_LOGOUT_S,
  OIDC_RETRY_MS,
  oidcAlgorithms,
  oidcMessages as messages,
} from '@steading/api/rules'
import { type Oidc, type OidcClient, OidcError, type OidcUser } from '@steading/control-plane/ports'
import { createRemoteJWKSet, customFetch as keyFetch, jwtVerify, type JWTVerifyGetKey } from 'jose'
import * as openid from 'openid-client'
import type { OutgoingProxy } from '../outgoing/proxy.ts'
import { fetchOver } from './fetch.ts'

/** Providers whose configuration is kept; the one discovered first is dropped. */
const ISSUERS_MAX = 500

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const algorithms = [...oidcAlgorithms]

interface Published {
  metadata: openid.ServerMetadata
  keys: JWTVerifyGetKey
}

/** Codes of errors are ASCII (RFC 6749, section 4.1.2.1); anything else is not shown. */
const codeOf = (code: string): string =>
  /^[\u0020-\u007e]{1,100}$/.test(code) ? code : 'an error that is not valid'

const isWebAddress = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** The issuer in a configuration, if it is not the issuer of its address; else undefined. */
function otherIssuerIn(error: Error): string | undefined {
  const { cause } = error as { cause?: { attribute?: unknown; body?: { issuer?: unknown } } }
  const issuer = cause?.attribute === 'issuer' ? cause.body?.issuer : undefined
  return typeof issuer === 'string' &&
    isWebAddress(issuer) &&
    !/\s/.test(issuer) &&
    issuer.length <= 2048
    ? issuer
    : undefined
}

/** The error of the contract for an error of the libraries. */
function problemOf(error: unknown): OidcError {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof OidcError) return each
    const other = otherIssuerIn(each)
    if (other !== undefined) return new OidcError(messages.otherIssuer(other))
    if (
      each instanceof openid.AuthorizationResponseError ||
      each instanceof openid.ResponseBodyError
    ) {
      return new OidcError(messages.reported(codeOf(each.error)))
    }
  }
  const { cause, message } = error as Error
  return new OidcError(cause instanceof Error ? cause.message : message)
}

const mapped = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw problemOf(error)
  })

/**
 * @param networks in which providers may be, besides the public internet
 * @param proxy through which they are reached
 */
export function conversations(networks?: BlockList, proxy?: OutgoingProxy): Oidc {
  const fetch = fetchOver(networks, OIDC_FETCH_MS, proxy)
  const known = new Map<string, { until: number; published: Promise<Published> }>()

  /** Names the target of a redirect in the error: it is usually the right issuer. */
  const fetchConfiguration: typeof fetch = async (address, options) => {
    const response = await fetch(address, options)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || !location) return response
    if (!URL.canParse(location, address)) return response
    const { origin, pathname } = new URL(location, address)
    throw new OidcError(messages.redirected(issuerOf(origin + pathname)))
  }

  async function read(issuer: string): Promise<Published> {
    const configuration = await openid.discovery(new URL(issuer), 'unused', undefined, undefined, {
      // Which addresses may lack TLS is decided by `fetch`.
      execute: [openid.allowInsecureRequests],
      timeout: OIDC_FETCH_MS / 1000,
      [openid.customFetch]: fetchConfiguration,
    })
    const metadata = configuration.serverMetadata()
    const { authorization_endpoint, token_endpoint, jwks_uri } = metadata
    for (const [name, url] of Object.entries({
      authorization_endpoint,
      token_endpoint,
      jwks_uri,
    })) {
      if (url === undefined || !isWebAddress(url)) {
        throw new OidcError(messages.unreachable(`it publishes no ${name}`))
      }
    }
    const keys = createRemoteJWKSet(new URL(jwks_uri!), {
      [keyFetch]: fetch,
      timeoutDuration: OIDC_FETCH_MS,
      cooldownDuration: OIDC_KEYS_MS,
      cacheMaxAge: OIDC_DISCOVERY_MS,
    })
    return { metadata, keys }
  }

  /** The configuration of an issuer; calls at the same time share a read, and its failure. */
  function publishedBy(issuer: string): Promise<Published> {
    const entry = known.get(issuer)
    if (entry && performance.now() < entry.until) return entry.published
    known.delete(issuer)
    if (known.size >= ISSUERS_MAX) known.delete(known.keys().next().value!)
    const fresh = { until: Infinity, published: mapped(read(issuer)) }
    known.set(issuer, fresh)
    const keepFor = (ms: number) => () => void (fresh.until = performance.now() + ms)
    fresh.published.then(keepFor(OIDC_DISCOVERY_MS), keepFor(OIDC_RETRY_MS))
    return fresh.published
  }

  function configurationOf(
    { clientId, clientSecret }: OidcClient,
    metadata: openid.ServerMetadata,
  ): openid.Configuration {
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authentication =
      clientSecret === null
        ? openid.None()
        : methods.includes('client_secret_basic')
          ? openid.ClientSecretBasic(clientSecret)
          : openid.ClientSecretPost(clientSecret)
    const tolerant = { [openid.clockTolerance]: OIDC_CLOCK_SKEW_S }
    const configuration = new openid.Configuration(metadata, clientId, tolerant, authentication)
    configuration[openid.customFetch] = fetch
    configuration.timeout = OIDC_FETCH_MS / 1000
    openid.allowInsecureRequests(configuration)
    return configuration
  }

  /** Claims of a token, verified with the keys of the provider. */
  async function verified(token: string, { keys, metadata }: Published, clientId: string) {
    return jwtVerify(token, keys, {
      algorithms,
      issuer: metadata.issuer,
      audience: clientId,
      clockTolerance: OIDC_CLOCK_SKEW_S,
    })
  }

  async function redeem(...[client, request, answer, wanted]: Parameters<Oidc['redeem']>) {
    const published = await publishedBy(client.issuer)
    const configuration = configurationOf(client, published.metadata)
    const tokens = await openid.authorizationCodeGrant(configuration, answer, {
      pkceCodeVerifier: request.verifier,
      expectedState: request.state,
      expectedNonce: request.nonce,
      idTokenExpected: true,
    })
    const { payload } = await verified(tokens.id_token!, published, client.clientId)
    // The clock of the provider, or of this server, is wrong.
    const soon = Date.now() / 1000 + OIDC_CLOCK_SKEW_S
    if (payload.iat !== undefined && payload.iat > soon) throw new OidcError(messages.future)
    const subject = payload.sub!
    const { userinfo_endpoint } = published.metadata
    const isMissing = wanted.some((claim) => !(claim in payload))
    const more =
      isMissing && userinfo_endpoint
        ? await openid.fetchUserInfo(configuration, tokens.access_token, subject)
        : {}
    const user: OidcUser = {
      subject,
      session: typeof payload.sid === 'string' ? payload.sid : undefined,
      idToken: tokens.id_token!,
      claims: { ...more, ...payload },
    }
    return user
  }

  async function readLogout(client: OidcClient, token: string) {
    const published = await publishedBy(client.issuer)
    const { payload, protectedHeader } = await jwtVerify(token, published.keys, {
      algorithms,
      issuer: published.metadata.issuer,
      audience: client.clientId,
      clockTolerance: OIDC_CLOCK_SKEW_S,
      maxTokenAge: OIDC_LOGOUT_S,
      requiredClaims: ['jti', 'iat', 'events'],
    })
    const { typ = 'logout+jwt' } = protectedHeader
    const { jti, sub, sid, events, nonce } = payload
    const isLogout =
      /^(?:application\/)?(?:logout\+)?jwt$/i.test(typ) &&
      typeof events === 'object' &&
      events !== null &&
      LOGOUT_EVENT in events
    // An ID token has a nonce.
    if (!isLogout || nonce !== undefined) throw new OidcError('it is no logout token')
    const session = typeof sid === 'string' ? sid : undefined
    if (sub === undefined && session === undefined) {
      throw new OidcError('it names neither a user nor a session')
    }
    return { id: jti!, subject: sub, session }
  }

  async function signOutUrl(...[client, signOut]: Parameters<Oidc['signOutUrl']>) {
    const { metadata } = await publishedBy(client.issuer)
    const { end_session_endpoint: url } = metadata
    // Browsers are sent there, so nothing but a web address will do.
    if (url === undefined || !isWebAddress(url)) return undefined
    const { state, returnUri, idToken, subject } = signOut
    return openid.buildEndSessionUrl(configurationOf(client, metadata), {
      post_logout_redirect_uri: returnUri,
      state,
      ...(idToken === undefined ? { logout_hint: subject } : { id_token_hint: idToken }),
    }).href
  }

  return {
    discover: async (issuer) => {
      // A kept answer may be older than the repair of the provider.
      known.delete(issuer)
      await publishedBy(issuer)
    },
    requestUrl: (client, { state, nonce, verifier }) =>
      mapped(
        (async () => {
          const { metadata } = await publishedBy(client.issuer)
          const url = openid.buildAuthorizationUrl(configurationOf(client, metadata), {
            redirect_uri: client.redirectUri,
            scope: client.scopes.join(' '),
            state,
            nonce,
            code_challenge: await openid.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          })
          return url.href
        })(),
      ),
    redeem: (...args) => mapped(redeem(...args)),
    signOutUrl: (...args) => mapped(signOutUrl(...args)),
    readLogout: (client, token) => mapped(readLogout(client, token)),
  }
}
