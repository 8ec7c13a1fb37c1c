/** The silo "corp", whose users sign in through the SAML identity provider "okta". */
import { BlockList } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { Caller } from '../caller.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { bare, dsaKey, ellipticKey, provider, service } from './keys.ts'
import {
  answer,
  base64,
  identityProviderBody,
  metadataOf,
  requestOf,
  type Said,
} from './provider.ts'

export let server: TestServer
export let siloId: string
/** The path to which the provider "okta" of silo "corp" sends its answers. */
export const PATH = '/login/corp/saml/okta'
export let acs: string

export const providerBody = (name: string, values: object = {}) =>
  identityProviderBody(name, {
    acs_url: acs,
    idp_metadata_source: {
      type: 'base64_encoded_xml',
      data: base64(metadataOf([provider, ellipticKey, dsaKey])),
    },
    ...values,
  })

/** Starts a server with the silo for the tests of a file. */
export function useSilo(): void {
  beforeAll(async () => {
    const trustedProxies = new BlockList()
    trustedProxies.addAddress('127.0.0.1')
    server = await startTestServer({ trustedProxies })
    acs = `${server.url}${PATH}`
    siloId = await server.createSilo('corp', { identity_mode: 'saml_jit' })
    await server.admin.call('saml_identity_provider_create', {
      query: { silo: 'corp' },
      body: providerBody('okta'),
    })
    await allowIdpInitiated('okta', true)
    await server.admin.call('saml_identity_provider_create', {
      query: { silo: 'corp' },
      body: providerBody('signs-requests', {
        signing_keypair: { public_cert: bare(service.certificate), private_key: bare(service.key) },
      }),
    })
  })
  afterAll(() => server.close())
}

export const form = (xml: string, relayState?: string): string => {
  const fields = new URLSearchParams({ SAMLResponse: base64(xml) })
  if (relayState !== undefined) fields.set('RelayState', relayState)
  return fields.toString()
}

let clients = 0
/** A new client address for every call, because failures slow an address down. */
export const address = () => `2001:4860:${(clients++).toString(16)}::1`

/** Permits answers without a request from the provider, or forbids them. */
export const allowIdpInitiated = (provider: string, idp_initiated: boolean, silo = 'corp') =>
  server.admin.call('saml_sign_in_settings_update', {
    params: { provider },
    query: { silo },
    body: { idp_initiated },
  })

/** The cookie by which the test browser proves its requests. */
let made: string | undefined

/** Posts a form as the provider's page makes the browser do. */
export const post = (
  body: BodyInit,
  path = PATH,
  { from = address(), cookie = made }: { from?: string; cookie?: string } = {},
) =>
  server.anonymous.fetch(path, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.example',
      'sec-fetch-site': 'cross-site',
      'x-forwarded-for': from,
      ...(cookie && { cookie }),
    },
  })

export const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!

/** The user signed in by an answer. */
export async function signInWith(said: Partial<Said> = {}): Promise<Caller> {
  const response = await post(form(answer({ acs, ...said })))
  expect(response.status, await response.text()).toBe(303)
  return new Caller(server.url, cookieOf(response))
}

/** The reason why an answer is refused. */
export async function refusalOf(xml: string, path = PATH): Promise<string> {
  const response = await post(form(xml), path)
  const body = (await response.json()) as { message: string }
  expect(response.status, body.message).toBe(400)
  expect(response.headers.getSetCookie()).toEqual([])
  return body.message
}
export const extract = (reason: string) => `could not extract SAMLResponse assertion! ${reason}`

export const redirect = async (query = '', name = 'okta') => {
  const response = await server.anonymous.fetch(`/login/corp/saml/${name}/redirect${query}`, {
    headers: { ...(made && { cookie: made }) },
  })
  expect(response.status).toBe(302)
  const [setCookie] = response.headers.getSetCookie()
  made = setCookie!.split(';')[0]!
  return { ...requestOf(response.headers.get('location')!), setCookie: setCookie!, cookie: made }
}

export const groupsOf = async (caller: Caller) =>
  (await caller.call('current_user_groups')).items.map(({ display_name }) => display_name).sort()
