/** Requests to other servers: addresses, names, proxies and certificates. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request as sendRequest, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, type BlockList, connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import {
  certificateFaults,
  connectionFaults,
  imageDownloadProblems as problems,
} from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeCertificate } from '../../api/test/support/certificates.ts'
import { loopback, noise, sha256 } from '../../control-plane/test/support/image-server.ts'
import { defaultConfig, readConfig } from '../src/config.ts'
import { createImageSources } from '../src/image-sources.ts'
import { fetchOver } from '../src/oidc/fetch.ts'
import { type Target, targetOf } from '../src/outgoing/addresses.ts'
import { faultOf } from '../src/outgoing/faults.ts'
import { sendTo, USER_AGENT } from '../src/outgoing/request.ts'
import { fetchMetadata } from '../src/saml/fetch-metadata.ts'
import { createWebhooks } from '../src/webhooks.ts'
import { PASSWORD, post, signIn, startProcess, temporaryDirectory } from './support/process.ts'

const forever = new AbortController().signal
const proxyOf = (env: NodeJS.ProcessEnv, ...args: string[]) => readConfig(args, env).outgoingProxy

async function listening(server: Pick<Server, 'listen' | 'address'> & NodeJS.EventEmitter) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The requests to the server below. */
let asked: { url: string; agent: string | undefined; authorization?: string }[] = []
const server = createServer((request, response) => {
  const { 'user-agent': agent, authorization } = request.headers
  asked.push({ url: request.url!, agent, ...(authorization && { authorization }) })
  if (request.headers['user-agent'] === undefined) return void response.writeHead(403).end()
  response.end('{}')
})
let port: number
beforeAll(async () => void (port = await listening(server)))
afterAll(() => void server.close())

const url = () => `http://127.0.0.1:${port}`

test('all addresses of a host are tried', async () => {
  const target: Target = { addresses: ['::1', '127.0.0.2', '127.0.0.1'], allowed: true }
  const send = (to: Target) =>
    sendTo(new URL(`http://images.example:${port}/tried`), to, { headers: [], signal: forever })
  const response = await send(target)
  expect(response.statusCode).toBe(200)
  response.destroy()
  const error = await send({ ...target, addresses: ['::1', '127.0.0.2'] }).catch((e: unknown) => e)
  expect(faultOf(error)).toEqual({ of: 'connection', text: connectionFaults.refused })
})

test('every kind of request names the program', async () => {
  asked = []
  const images = createImageSources(loopback)
  const opened = await images.open(`${url()}/image`, false, forever)
  opened.close()
  await images.text(`${url()}/list`, forever)
  await createWebhooks(loopback).post(`${url()}/webhook`, [['x-one', '1']], '{}')
  await fetchOver(loopback)(`${url()}/oidc`, {})
  await fetchMetadata(`${url()}/saml`, loopback)
  expect(asked).toEqual(
    ['/image', '/list', '/webhook', '/oidc', '/saml'].map((path) => ({
      url: path,
      agent: USER_AGENT,
    })),
  )
  expect(USER_AGENT).toMatch(/^Steading\/\d+\.\d+\.\d+/)
})

test('faults of certificates are told apart', async () => {
  const authority = await makeCertificate({ commonName: 'Authority', ca: true })
  const issued = (values: object) => makeCertificate({ names: ['a.example'], ...values })
  const fault = async (values: object, isKnown: boolean) => {
    const { key, cert } = await issued(values)
    const secure = createTlsServer({ key, cert })
    const socket = connectSecurely({
      port: await listening(secure),
      host: '127.0.0.1',
      servername: 'a.example',
      ...(isKnown && { ca: authority.cert }),
    })
    const [error] = (await once(socket, 'error')) as [Error]
    secure.close()
    return faultOf(error)
  }
  const of = 'certificate'
  const { selfSigned, expired, otherName, unknownIssuer } = certificateFaults
  expect(await fault({}, false)).toEqual({ of, text: selfSigned })
  expect(await fault({ issuer: authority }, false)).toEqual({ of, text: unknownIssuer })
  expect(await fault({ issuer: authority, days: -1 }, true)).toEqual({ of, text: expired })
  expect(await fault({ issuer: authority, names: ['b.example'] }, true)).toEqual({
    of,
    text: otherName,
  })
})

describe('the proxy', () => {
  test.for([
    ['https://a.example/', {}, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://a.example/', { https_proxy: 'p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1/'],
    ['http://a.example/', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['http://a.example/', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://a.example/', { HTTPS_PROXY: 'p:1', NO_PROXY: 'b.example, .example' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'p:1', NO_PROXY: 'EXAMPLE' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'p:1', NO_PROXY: 'ample' }, 'http://p:1/'],
    ['https://a.example/', { HTTPS_PROXY: 'p:1', NO_PROXY: 'a.example:8443' }, 'http://p:1/'],
    ['https://a.example:8443/', { HTTPS_PROXY: 'p:1', NO_PROXY: 'a.example:8443' }, undefined],
    ['https://10.1.2.3/', { HTTPS_PROXY: 'p:1', NO_PROXY: '10.0.0.0/8' }, undefined],
    ['https://[fd00::1]/', { HTTPS_PROXY: 'p:1', NO_PROXY: '10.0.0.0/8' }, 'http://p:1/'],
    ['https://[fd00::1]/', { HTTPS_PROXY: 'p:1', NO_PROXY: '[fd00::1]:443' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'p:1', NO_PROXY: '*' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'p:1', STEADING_OUTGOING_PROXY: 'none' }, undefined],
    ['http://a.example/', { STEADING_OUTGOING_PROXY: 'https://u:p@q:1' }, 'https://u:p@q:1/'],
  ] as const)('of %s with %o is %s', ([address, env, proxy]) => {
    expect(proxyOf(env)?.proxyFor(new URL(address))?.href).toBe(proxy)
  })

  test.for([
    [{ HTTPS_PROXY: 'socks5://p:1' }, 'https_proxy|HTTPS_PROXY'],
    [{ STEADING_OUTGOING_PROXY: 'http://u:secret@p:1/path' }, '--outgoing-proxy must be a URL'],
    [{ STEADING_OUTGOING_PROXY: 'http://u:secret%zz@p:1' }, '--outgoing-proxy must be a URL'],
    [{ HTTPS_PROXY: 'p:1', NO_PROXY: '10.0.0.0/40' }, '"10.0.0.0/40" is no network'],
  ] as const)('of %o is refused', ([env, reason]) => {
    expect(() => proxyOf(env)).toThrow(new RegExp(reason))
    expect(() => proxyOf(env)).not.toThrow('secret')
  })

  test('leads to names that are unknown here, and to no closed address', async () => {
    const proxy = proxyOf({ HTTPS_PROXY: 'p:1' })
    const target = (address: string, networks?: BlockList) =>
      targetOf(new URL(address), { proxy, networks })
    expect(await target('https://unknown.invalid/')).toMatchObject({
      addresses: [],
      allowed: false,
    })
    expect(await target('https://10.1.2.3/')).toBeUndefined()
    expect(await target('https://localhost/')).toBeUndefined()
    expect(await target('https://127.0.0.1/', loopback)).toMatchObject({ allowed: true })
  })
})

/** A proxy that leads every host to a port of this machine, and lists the requests. */
async function startProxy(leadsTo: () => number) {
  const lines: string[] = []
  const hop = createServer((request, response) => {
    lines.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
    const { pathname } = new URL(request.url!)
    if (pathname === '/denied') return void response.writeHead(407).end()
    sendRequest({ port: leadsTo(), path: pathname, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    }).end()
  })
  hop.on('connect', (request, socket, head) => {
    lines.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
    if (request.url!.startsWith('denied.')) return void socket.end('HTTP/1.1 403 No\r\n\r\n')
    const upstream = connect(leadsTo(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    })
    for (const end of [socket, upstream]) end.on('error', () => upstream.destroy())
  })
  const proxyPort = await listening(hop)
  onTestFinished(() => {
    hop.closeAllConnections()
    hop.close()
  })
  return { lines, address: `http://user:p%40ss@127.0.0.1:${proxyPort}` }
}

const credentials = `Basic ${Buffer.from('user:p@ss').toString('base64')}`

test('requests without TLS go through the proxy, whose refusals are reported', async () => {
  const { lines, address } = await startProxy(() => port)
  const proxy = proxyOf({}, '--outgoing-proxy', address)
  const images = createImageSources(loopback, { proxy })
  asked = []
  expect(await images.text('http://images.invalid/list', forever)).toBe('{}')
  expect(asked).toEqual([{ url: '/list', agent: USER_AGENT }])
  expect(lines).toEqual([`GET http://images.invalid/list ${credentials}`])
  // Credentials in an address are sent to the host, not to the proxy.
  asked = []
  await images.text('http://me:secret@images.invalid/list', forever)
  const authorization = `Basic ${Buffer.from('me:secret').toString('base64')}`
  expect(asked).toEqual([{ url: '/list', agent: USER_AGENT, authorization }])
  expect(lines.at(-1)).toBe(`GET http://images.invalid/list ${credentials}`)
  const failure = (to: string) => images.text(to, forever).catch((error: Error) => error.message)
  expect(await failure('http://images.invalid/denied')).toBe(
    problems.proxy('answered with status 407'),
  )
  expect(await failure('https://denied.invalid/x')).toBe(problems.proxy('answered with status 403'))
  const nowhere = proxyOf({}, '--outgoing-proxy', 'http://127.0.0.1:1')
  const stranded = createImageSources(loopback, { proxy: nowhere })
  for (const scheme of ['http', 'https']) {
    await expect(stranded.text(`${scheme}://images.invalid/`, forever)).rejects.toThrow(
      problems.proxy('cannot be used: it was refused'),
    )
  }
})

test('an image comes through a proxy by CONNECT, and none from a closed address', async () => {
  const authority = await makeCertificate({ commonName: 'Authority', ca: true })
  const { key, cert } = await makeCertificate({ names: ['images.invalid'], issuer: authority })
  const bytes = noise(4096)
  const secure = createTlsServer({ key, cert }, (_, response) => void response.end(bytes))
  const securePort = await listening(secure)
  onTestFinished(() => void secure.close())
  const { lines, address } = await startProxy(() => securePort)
  const authorities = join(temporaryDirectory(), 'authorities.pem')
  writeFileSync(authorities, authority.cert)
  const product = await startProcess(['--data', temporaryDirectory()], {
    STEADING_ADMIN_PASSWORD: PASSWORD,
    NODE_EXTRA_CA_CERTS: authorities,
    HTTPS_PROXY: address,
    NO_PROXY: 'localhost',
  })
  const cookie = await signIn(product.url)
  await post(product.url, cookie, '/v1/projects', { name: 'work', description: '' })
  const download = async (name: string, from: string, values: object) => {
    const about = { name, description: '', os: 'Plan 9', version: '4', url: from, ...values }
    const made = await post(product.url, cookie, '/x/v1/image-downloads?project=work', about)
    const { id } = (await made.json()) as { id: string }
    return vi.waitFor(
      async () => {
        const path = `${product.url}/x/v1/image-downloads/${id}`
        const found = (await (await fetch(path, { headers: { cookie } })).json()) as object
        expect(found).toMatchObject({ time_finished: expect.any(String) })
        return found
      },
      { timeout: 120_000 },
    )
  }
  const checksum = { type: 'sha256', value: sha256(bytes) }
  expect(await download('led', 'https://images.invalid/disk.raw', { checksum })).toMatchObject({
    state: 'ready',
    problem: null,
  })
  expect(lines).toEqual([`CONNECT images.invalid:443 ${credentials}`])
  expect(await download('closed', 'https://10.1.2.3/disk.raw', {})).toMatchObject({
    state: 'failed',
    problem: problems.closed('10.1.2.3'),
  })
  expect(lines).toHaveLength(1)
  expect((await product.end('SIGTERM')).code).toBe(0)
  expect(defaultConfig().outgoingProxy).toBeUndefined()
})
