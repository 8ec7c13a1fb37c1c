/** Wrong passwords from many addresses, and forged SAML responses. */
import { request } from 'node:http'
import {
  answer,
  base64,
  identityProviderBody,
} from '../../../packages/control-plane/test/support/saml/provider.ts'
import { password } from '../host.ts'
import type { Load, World } from './world.ts'

interface Post {
  body: string
  type: string
  /** Source address of the client, on this machine. */
  from: string
  cookie?: string
}

interface Answer {
  status: number
  cookies: string[]
  /** Milliseconds. */
  took: number
}

/** Posts from a loopback address, which counts as a separate client. */
const post = ({ url }: World, path: string, { body, type, from, cookie }: Post): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const headers = { 'content-type': type, ...(cookie && { cookie }) }
    request(url + path, { method: 'POST', localAddress: from, headers, agent: false }, (response) =>
      response.resume().once('end', () => {
        const cookies = response.headers['set-cookie'] ?? []
        resolve({ status: response.statusCode!, cookies, took: performance.now() - began })
      }),
    )
      .once('error', reject)
      .end(body)
  })

const signIn = (world: World, username: string, given: string, from: string, cookie?: string) =>
  post(world, '/v1/login/main/local', {
    body: JSON.stringify({ username, password: given }),
    type: 'application/json',
    from,
    ...(cookie && { cookie }),
  })

const statusesOf = (answers: readonly Answer[]): string =>
  [...Map.groupBy(answers, ({ status }) => status)]
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ')
const said = ({ status, took }: Answer): string => `${status} in ${Math.round(took)} ms`

const ADDRESSES = 200
/** An unrelated user. */
const [known, fresh] = ['127.0.9.1', '127.0.9.2']

let device = ''

export const wrongPasswords: Load = {
  async prepare(world) {
    const { cookies } = await signIn(world, 'bystander', password, known)
    device = cookies.find((cookie) => cookie.startsWith('device='))!.split(';')[0]!
  },
  async apply(world) {
    const wrong = Array.from({ length: ADDRESSES }, (_, index) =>
      signIn(world, 'bystander', 'a wrong guess', `127.0.8.${index + 1}`),
    )
    const [ofKnown, ofFresh] = await Promise.all([
      signIn(world, 'bystander', password, known, device),
      signIn(world, 'attacker', password, fresh),
    ])
    const answers = statusesOf(await Promise.all(wrong))
    return `${answers}; a known device ${said(ofKnown)}, a new one ${said(ofFresh)}`
  },
}

const SILO = 'corp'
const PROVIDER = 'okta'
const ACS = `/login/${SILO}/saml/${PROVIDER}`

async function makeProvider({ admin, url }: World): Promise<void> {
  await admin('POST', '/v1/system/silos', {
    name: SILO,
    description: '',
    discoverable: true,
    identity_mode: 'saml_jit',
    admin_group_name: null,
    tls_certificates: [],
    quotas: { cpus: 1, memory: 0, storage: 0 },
  })
  const body = identityProviderBody(PROVIDER, { acs_url: url + ACS })
  await admin('POST', `/v1/system/identity-providers/saml?silo=${SILO}`, body)
  // Accepts unsolicited responses, so that a valid one needs no browser session.
  await admin('PUT', `/x/v1/identity-providers/saml/${PROVIDER}/sign-in?silo=${SILO}`, {
    idp_initiated: true,
  })
}

const removeProvider = async ({ admin }: World): Promise<void> => {
  await admin('DELETE', `/v1/system/silos/${SILO}`)
}

const answerWith = (world: World, xml: string, from: string) =>
  post(world, ACS, {
    body: new URLSearchParams({ SAMLResponse: base64(xml) }).toString(),
    type: 'application/x-www-form-urlencoded',
    from,
  })

/** An office, whose users share an address with the attacked browser. */
const office = '127.0.9.3'
const ANSWERS = 200

/** @param forged XML that a malicious page makes a browser post */
const forgedAnswers = (forged: string): Load => ({
  prepare: makeProvider,
  async apply(world) {
    const posts = Array.from({ length: ANSWERS }, () => answerWith(world, forged, office))
    const answers = statusesOf(await Promise.all(posts))
    const right = await answerWith(world, answer({ acs: world.url + ACS }), office)
    const ofPassword = await signIn(world, 'bystander', password, office)
    return `${answers}; a right answer ${said(right)}, a right password ${said(ofPassword)}`
  },
  clear: removeProvider,
})

export const garbageAnswers = forgedAnswers('<garbage/>')

/** As many namespaces as fit into 67 KB. */
const namespaces = Array.from({ length: 4000 }, (_, index) => `xmlns:n${index}="u"`).join(' ')
export const answersWithNamespaces = forgedAnswers(`<a ${namespaces}/>`)
