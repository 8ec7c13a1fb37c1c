/** Control plane specification 4.4: the identity providers of a silo. */
import { createServer } from 'node:http'
import { type AddressInfo, BlockList } from 'node:net'
import { identityProviderMessages, isPublicAddress } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchMetadata } from '../../../../node/src/saml/fetch-metadata.ts'
import { jobBody, plan, runJob, targets } from '../../support/jobs.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { bare, ellipticKey, service, stranger } from '../../support/saml/keys.ts'
import { base64, identityProviderBody, metadataOf } from '../../support/saml/provider.ts'

let server: TestServer
beforeAll(async () => {
  const metadataNetworks = new BlockList()
  metadataNetworks.addAddress('127.0.0.1')
  server = await startTestServer({ metadataNetworks })
  await server.createSilo('corp', { identity_mode: 'saml_jit' })
})
afterAll(() => server.close())

const query = { silo: 'corp' }
const create = (name: string, values: object = {}) =>
  server.admin.call('saml_identity_provider_create', {
    query,
    body: identityProviderBody(name, values),
  })
const refused = (values: object, silo = 'corp') =>
  server.admin.refusal('saml_identity_provider_create', {
    query: { silo },
    body: identityProviderBody('refused', values),
  })
const keyPair = (public_cert: string, private_key: string) => ({
  signing_keypair: { public_cert, private_key },
})
const document = (xml: string) => ({
  idp_metadata_source: { type: 'base64_encoded_xml', data: base64(xml) },
})

describe('a provider', () => {
  test('is created, listed and shown, without its private key', async () => {
    const made = await create('okta', keyPair(bare(service.certificate), bare(service.key)))
    expect(made).toMatchObject({
      name: 'okta',
      acs_url: 'https://cloud.example/acs',
      slo_url: 'https://cloud.example/logout',
      group_attribute_name: 'groups',
      public_cert: bare(service.certificate),
    })
    const view = { params: { provider: 'okta' }, query }
    expect(await server.admin.call('saml_identity_provider_view', view)).toEqual(made)
    const byId = { params: { provider: made.id } }
    expect(await server.admin.call('saml_identity_provider_view', byId)).toEqual(made)
    const { items } = await server.admin.call('silo_identity_provider_list', { query })
    expect(items.find(({ id }) => id === made.id)).toEqual({
      id: made.id,
      name: 'okta',
      description: '',
      provider_type: 'saml',
      time_created: made.time_created,
      time_modified: made.time_modified,
    })
    const log = await server.db.selectFrom('audit_log').selectAll().execute()
    const events = await server.db.selectFrom('event').selectAll().execute()
    expect(JSON.stringify([made, items, log, events])).not.toContain(bare(service.key))
    expect(log.at(-1)).toMatchObject({
      operation_id: 'saml_identity_provider_create',
      target_kind: 'saml_identity_provider',
      target_name: 'okta',
    })
  })

  test('gets metadata about this service', async () => {
    await create('described', {
      sp_client_id: 'https://cloud.example/?a=1&b="2"<3>',
      ...keyPair(bare(service.certificate), bare(service.key)),
    })
    const response = await server.admin.fetch(
      '/x/v1/identity-providers/saml/described/metadata?silo=corp',
    )
    expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="described-metadata.xml"',
    )
    const xml = await response.text()
    expect(xml).toContain('entityID="https://cloud.example/?a=1&amp;b=&quot;2&quot;&lt;3&gt;"')
    expect(xml).toContain('Location="https://cloud.example/acs"')
    expect(xml).toContain('AuthnRequestsSigned="true"')
    expect(xml).toContain(bare(service.certificate))
    expect(xml).not.toContain(bare(service.key))
  })

  test('has a unique name in its silo, and parents only with its name', async () => {
    await create('taken')
    expect(await refused({ name: 'taken' })).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: saml-identity-provider "taken"',
    })
    const { id } = await create('by-id')
    const message = async (provider: string, silo?: string) =>
      (
        await server.admin.refusal('saml_identity_provider_view', {
          params: { provider },
          query: { silo },
        })
      ).message
    expect(await message(id, 'corp')).toBe(
      'when providing provider as an ID, silo should not be specified',
    )
    expect(await message('by-id')).toBe(
      'provider should either be a UUID or silo should be specified',
    )
    expect(await message('none', 'corp')).toBe('not found: saml-identity-provider with name "none"')
    expect(await message('none', 'none')).toBe('not found: silo with name "none"')
  })

  test('is deleted with its silo', async () => {
    await server.createSilo('short', { identity_mode: 'saml_jit' })
    const { id } = await server.admin.call('saml_identity_provider_create', {
      query: { silo: 'short' },
      body: identityProviderBody('okta'),
    })
    await server.admin.call('silo_delete', { params: { silo: 'short' } })
    expect(
      (await server.admin.refusal('saml_identity_provider_view', { params: { provider: id } }))
        .status,
    ).toBe(404)
    expect((await server.anonymous.fetch('/login/short/saml/okta/redirect')).status).toBe(404)
  })
})

describe('refuses', () => {
  const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

  test('silos whose users have passwords', async () => {
    expect(await refused({}, 'main')).toEqual(
      invalid('cannot create SAML identity providers in ApiOnly silos'),
    )
  })

  test('invalid or incomplete metadata', async () => {
    expect(
      await refused({ idp_metadata_source: { type: 'base64_encoded_xml', data: '!' } }),
    ).toEqual({
      status: 400,
      error_code: 'InvalidValue',
      message:
        'unsupported value for "data": error getting decoding base64 data: Invalid symbol 33, offset 0.',
    })
    const parse = 'idp_metadata_document_string could not be parsed as an EntityDescriptor! '
    for (const [xml, reason] of [
      ['', 'the document is not well-formed'],
      ['{}', 'the document is not well-formed'],
      ['<a/>', 'it is not an md:EntityDescriptor'],
      [`<!DOCTYPE a>${metadataOf()}`, 'document types are not allowed'],
    ]) {
      expect(await refused(document(xml!))).toEqual(invalid(parse + reason))
    }
    const without = (part: RegExp) => document(metadataOf().replace(part, ''))
    expect(await refused(without(/<md:IDPSSO[^]*<\/md:IDPSSODescriptor>/))).toEqual(
      invalid('no md:IDPSSODescriptor section'),
    )
    expect(await refused(without(/<md:KeyDescriptor[^]*<\/md:KeyDescriptor>/))).toEqual(
      invalid('no signing key found in IDP metadata'),
    )
    expect(await refused(without(/<md:SingleSignOnService [^>]*HTTP-Redirect[^>]*>/))).toEqual(
      invalid('zero redirect binding locations'),
    )
    const script = metadataOf(undefined, { sso: 'javascript:alert(1)' })
    expect(await refused(document(script))).toEqual(invalid('zero redirect binding locations'))
  })

  test('invalid keys, and keys of another certificate', async () => {
    const [cert, key] = [bare(service.certificate), bare(service.key)]
    const message = async (public_cert: string, private_key: string) =>
      (await refused(keyPair(public_cert, private_key))).message
    const parse = 'unable to parse JSON body: signing_keypair: '
    expect(await message('!', key)).toMatch(`${parse}could not base64 decode public_cert: `)
    expect(await message('AAAA', key)).toMatch(
      `${parse}public_cert is not recognized as a X509 certificate: `,
    )
    expect(await message(base64(service.certificate), key)).toMatch(
      `${parse}public_cert is not recognized as a X509 certificate: `,
    )
    expect(await message(cert, '!')).toMatch(`${parse}could not base64 decode private_key: `)
    for (const other of ['AAAA', bare(ellipticKey.key), cert]) {
      expect(await message(cert, other)).toMatch(
        `${parse}private_key is not recognized as a RSA private key: `,
      )
    }
    for (const [otherCert, otherKey] of [
      [cert, bare(stranger.key)],
      [bare(ellipticKey.certificate), key],
    ]) {
      expect(await message(otherCert!, otherKey!)).toMatch(
        `${parse}data signed with key not verified with certificate! `,
      )
    }
  })
})

describe('metadata by URL', () => {
  /** Answers by path; the path `/slow` never does. */
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x')
    if (pathname === '/slow') return
    if (pathname === '/good') return void response.end(metadataOf())
    if (pathname === '/missing') return void response.writeHead(404).end()
    if (pathname === '/large') return void response.end('x'.repeat(2 * 1024 * 1024))
    if (pathname === '/binary') return void response.end(Buffer.from([0xff]))
    if (pathname === '/cut') {
      response.writeHead(200, { 'content-length': '100' }).write('x')
      return void setImmediate(() => response.destroy())
    }
    const to = { '/again': '/good', '/loop': '/loop', '/inside': 'http://127.0.0.2:1/' }[pathname]
    response.writeHead(302, { location: to ?? '' }).end()
  })
  let url: string
  beforeAll(async () => {
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  })
  afterAll(() => {
    http.closeAllConnections()
    http.close()
  })
  const from = (address: string) => ({ idp_metadata_source: { type: 'url', url: address } })
  const message = async (address: string) => {
    const { status, error_code, message: text } = await refused(from(address))
    expect([status, error_code]).toEqual([400, 'InvalidValue'])
    return text.replace('unsupported value for "url": ', '')
  }

  test('is fetched, even after a redirect', async () => {
    expect((await create('fetched', from(`${url}/good`))).name).toBe('fetched')
    expect((await create('redirected', from(`${url}/again`))).name).toBe('redirected')
  })

  test('is refused if missing, too large or too slow', async () => {
    expect(await message(`${url}/missing`)).toBe('querying url returned: 404')
    expect(await message(`${url}/large`)).toBe(
      'error getting text from url: it has more than 1048576 bytes',
    )
    expect(await message(`${url}/binary`)).toBe('error getting text from url: it is not UTF-8')
    expect(await message(`${url}/cut`)).toBe('error getting text from url: the connection failed')
    expect(await message(`${url}/loop`)).toBe('error querying url: too many redirects')
    expect(await message('http://127.0.0.1:1/')).toBe('error querying url: the connection failed')
    const networks = new BlockList()
    networks.addAddress('127.0.0.1')
    await expect(fetchMetadata(`${url}/slow`, networks, 100)).rejects.toThrow(
      'error querying url: no answer in time',
    )
  })

  test('comes only from the public internet by https, or from allowed networks', async () => {
    const outside = identityProviderMessages.query(identityProviderMessages.private)
    expect(outside).toContain('--metadata-networks')
    for (const address of [
      `${url}/inside`,
      'http://127.0.0.2:1/',
      'https://127.0.0.2/',
      'https://2130706434/',
      'https://0x7f.2/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.2]/',
      'https://[::ffff:7f00:2]/',
      'https://[64:ff9b::7f00:2]/',
      'https://[fe80::1]/',
      'https://[fd00::1]/',
      'https://[2002:7f00:2::]/',
      'https://10.0.0.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://0.0.0.0/',
    ]) {
      expect(await message(address)).toBe(outside)
    }
    expect(await message('http://1.1.1.1/')).toBe('error querying url: it must begin with https://')
    for (const address of ['file:///etc/passwd', 'ftp://1.1.1.1/', 'x', '']) {
      expect(await message(address)).toMatch(/^error querying url: it is not a /)
    }
  })

  test('is not fetched for callers who may not create a provider', async () => {
    const { caller } = await server.createUser('curious')
    const { status } = await caller.refusal('saml_identity_provider_create', {
      query: { silo: 'main' },
      body: identityProviderBody('curious', from('http://127.0.0.2:1/')),
    })
    expect(status).toBe(403)
  })

  test('recognises addresses of the public internet', () => {
    for (const address of ['1.1.1.1', '8.8.8.8', '2001:4860:4860::8888', '2606:4700::1111']) {
      expect([address, isPublicAddress(address)]).toEqual([address, true])
    }
    for (const address of [
      '100.64.0.1',
      '192.168.1.1',
      '224.0.0.1',
      '255.255.255.255',
      'ff02::1',
      '::',
    ]) {
      expect([address, isPublicAddress(address)]).toEqual([address, false])
    }
  })
})

describe('the list', () => {
  const silo = 'listed'
  const query = { silo }
  let siloId: string
  beforeAll(async () => {
    siloId = await server.createSilo(silo, { identity_mode: 'saml_jit' })
    for (const name of ['corp-2', 'corp-10']) {
      await server.admin.call('saml_identity_provider_create', {
        query,
        body: identityProviderBody(name),
      })
    }
  })
  const names = async (wanted: object = {}) =>
    (
      await server.admin.call('silo_identity_provider_search', {
        query: { ...query, sort_by: 'natural_name_ascending', ...wanted },
      })
    ).items.map(({ name }) => name)

  test('is searched and tagged, also by operators of other silos', async () => {
    expect(await names()).toEqual(['corp-2', 'corp-10'])
    expect(await names({ search: '10' })).toEqual([])
    expect(await names({ search: 'corp-10' })).toEqual(['corp-10'])
    expect(await names({ type: 'oidc' })).toEqual([])
    const view = { params: { provider: 'corp-2' }, query }
    const { id } = await server.admin.call('saml_identity_provider_view', view)
    const params = { kind: 'saml_identity_provider', thing: id } as const
    await server.admin.call('tags_change', { params, body: { set: ['use:staff'], remove: [] } })
    expect(await names({ tag: 'use:staff' })).toEqual(['corp-2'])
    // Users of other silos know nothing of it.
    const stranger = await server.createUser('stranger', { silo: 'admin' })
    expect(
      await stranger.caller.refusal('tags_change', { params, body: { set: ['x'], remove: [] } }),
    ).toMatchObject({ status: 404 })
  })

  test('is deleted in bulk, by those who may', async () => {
    const viewIn = (name: string) => ({ params: { provider: name }, query })
    const ids = await Promise.all(
      ['corp-2', 'corp-10'].map(
        async (name) => (await server.admin.call('saml_identity_provider_view', viewIn(name))).id,
      ),
    )
    const kind = 'saml_identity_provider'
    const other = await server.createUser('other-admin', { silo: 'admin' })
    const body = jobBody('delete', kind, targets(...ids), null)
    expect(await other.caller.refusal('job_create', { body })).toMatchObject({ status: 404 })
    const viewer = await server.createUser('their-viewer', { silo: 'viewer' }, siloId)
    const refused = await plan(viewer.caller, 'delete', kind, targets(...ids), null)
    expect(refused.counts).toMatchObject({ refused: 2 })
    // All results of a search need the silo of the list.
    const matching = (given: Record<string, string>) =>
      ({ type: 'matching', query: given }) as const
    expect(
      await server.admin.refusal('job_create', {
        body: jobBody('delete', kind, matching({ search: 'corp' }), null),
      }),
    ).toMatchObject({ status: 400 })
    const job = await runJob(server.admin, 'delete', kind, matching({ silo, search: 'corp' }), null)
    expect(job.counts).toMatchObject({ succeeded: 2 })
    expect(await names()).toEqual([])
    expect(
      await server.db
        .selectFrom('saml_identity_provider')
        .select('private_key')
        .where('id', 'in', ids)
        .execute(),
    ).toEqual([{ private_key: null }, { private_key: null }])
    // Nobody can sign in through it any more.
    const redirect = await server.anonymous.fetch(`/login/${silo}/saml/corp-2/redirect`)
    expect(redirect.status).toBe(404)
  })
})
