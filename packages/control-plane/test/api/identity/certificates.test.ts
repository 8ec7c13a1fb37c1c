/** Control plane specification 4.5: the certificates of the caller's silo. */
import { DAY_MS } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate, type Wanted } from '../../../../api/test/support/certificates.ts'
import { defaultSettings } from '../../../src/kernel/settings.ts'
import { warnOfEndings } from '../../../src/resources/identity/certificates/ending.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'
import { siloBody } from '../../support/things.ts'
import { fromNow } from '../../support/times.ts'

const HOST = 'main.sys.cloud.example'

let server: TestServer
let admin: User
beforeAll(async () => {
  server = await startTestServer({ zones: ['cloud.example', 'cloud.test'] })
  admin = await server.createUser('alice', { silo: 'admin' })
})
afterAll(() => server.close())

async function body(name: string, wanted: Wanted = { names: [HOST] }) {
  const { cert, key } = await makeCertificate(wanted)
  return { name, description: 'for the console', service: 'external_api' as const, cert, key }
}
const names = async (caller: Caller) =>
  (await caller.call('certificate_list')).items.map(({ name }) => name)

test('a certificate is shown as given, without its key', async () => {
  const given = await body('kept')
  const { key, ...shown } = given
  const certificate = await admin.caller.call('certificate_create', { body: given })
  expect(certificate).toEqual({
    ...shown,
    id: certificate.id,
    time_created: certificate.time_modified,
    time_modified: certificate.time_created,
  })
  for (const selector of ['kept', certificate.id]) {
    const params = { certificate: selector }
    expect(await admin.caller.call('certificate_view', { params })).toEqual(certificate)
  }
  // The served chain and key are stored.
  const row = await server.db
    .selectFrom('certificate')
    .select(['key', 'time_ends'])
    .where('id', '=', certificate.id)
    .executeTakeFirstOrThrow()
  expect(row.key).toBe(key)
})

test('refuses a self-signed certificate with a broken signature', async () => {
  const given = await body('broken-signature')
  const der = Buffer.from(given.cert.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  // The signature is at the end.
  der[der.length - 1]! ^= 1
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
  expect(
    await admin.caller.refusal('certificate_create', { body: { ...given, cert } }),
  ).toMatchObject({
    status: 400,
    message: expect.stringContaining('number 1 of the chain has not signed itself'),
  })
})

test('accepts a chain in any order', async () => {
  const root = await makeCertificate({ commonName: 'root', ca: true })
  const middle = await makeCertificate({ commonName: 'middle', ca: true, issuer: root })
  const given = await body('unordered', { names: [HOST], issuer: middle })
  const [own] = given.cert.split(/(?<=-----END CERTIFICATE-----\n)/)
  const cert = own! + root.own + middle.own
  const made = await admin.caller.call('certificate_create', { body: { ...given, cert } })
  expect(made.cert).toBe(cert)
})

test('the key is in no event, audit log entry or answer', async () => {
  const given = await body('secret')
  const spare = { ...given, name: 'secret-too', cert: 'broken' }
  await admin.caller.call('certificate_create', { body: given })
  await admin.caller.refusal('certificate_create', { body: spare })
  const secret = given.key.split('\n')[1]!
  const told = [
    await server.db.selectFrom('event').selectAll().execute(),
    await server.db.selectFrom('audit_log').selectAll().execute(),
    await admin.caller.call('certificate_list'),
  ]
  for (const each of told) expect(JSON.stringify(each)).not.toContain(secret)
})

test('names are unique per silo', async () => {
  const elsewhere = await server.createSilo('elsewhere')
  const bob = await server.createUser('bob', { silo: 'admin' }, elsewhere)
  await admin.caller.call('certificate_create', { body: await body('same') })
  expect(
    await admin.caller.refusal('certificate_create', { body: await body('same') }),
  ).toMatchObject({
    status: 400,
    error_code: 'ObjectAlreadyExists',
    message: 'already exists: certificate "same"',
  })
  const there = await body('same', { names: ['elsewhere.sys.cloud.test'] })
  await bob.caller.call('certificate_create', { body: there })
  expect(await names(bob.caller)).toEqual(['same'])
})

test('a certificate of another silo is not found', async () => {
  const silo = await server.createSilo('next-door')
  const neighbour = await server.createUser('eve', { silo: 'admin' }, silo)
  const { id } = await admin.caller.call('certificate_create', { body: await body('private') })
  for (const call of ['certificate_view', 'certificate_delete'] as const) {
    const refusal = await neighbour.caller.refusal(call, { params: { certificate: id } })
    expect(refusal).toMatchObject({
      status: 404,
      message: `not found: certificate with id "${id}"`,
    })
  }
  expect(await names(neighbour.caller)).toEqual([])
})

test('a deleted certificate is gone with its key, and its name is free', async () => {
  const given = await body('gone')
  const { id } = await admin.caller.call('certificate_create', { body: given })
  await admin.caller.call('certificate_delete', { params: { certificate: 'gone' } })
  const rows = server.db.selectFrom('certificate').selectAll().where('id', '=', id)
  expect(await rows.execute()).toEqual([])
  expect(
    await admin.caller.refusal('certificate_view', { params: { certificate: 'gone' } }),
  ).toMatchObject({ status: 404, message: 'not found: certificate with name "gone"' })
  await admin.caller.call('certificate_create', { body: given })
})

test.each<[string, Wanted | { key: string }, string]>([
  [
    'for another host',
    { names: ['other.example'] },
    `unsupported value for "certificate": Certificate not valid for given hostnames ["${HOST}","main.sys.cloud.test"]: its names are other.example`,
  ],
  [
    'that has ended',
    { names: [HOST], days: -1 },
    'unsupported value for "certificate": Certificate exists, but is expired',
  ],
  [
    'for another purpose',
    { names: [HOST], usages: ['1.3.6.1.5.5.7.3.2'] },
    'unsupported value for "certificate": Unsupported certificate purpose (not usable for server auth)',
  ],
  [
    'without a key',
    { key: 'none' },
    'unsupported value for "private-key": Failed to parse private key',
  ],
])('a certificate %s is refused', async (_, wanted, message) => {
  const given = 'key' in wanted ? { ...(await body('bad')), ...wanted } : await body('bad', wanted)
  expect(await admin.caller.refusal('certificate_create', { body: given })).toEqual({
    status: 400,
    error_code: 'InvalidValue',
    message,
  })
})

test('accepts a certificate for one of the host names', async () => {
  const given = await body('second-zone', { names: ['*.sys.cloud.test'] })
  const { name } = await admin.caller.call('certificate_create', { body: given })
  expect(name).toBe('second-zone')
})

test('the certificates of a new silo are stored and deleted with it', async () => {
  const good = await body('one', { names: ['young.sys.cloud.example'] })
  const young = (tls_certificates: (typeof good)[]) => ({
    body: siloBody('young', { tls_certificates }),
  })
  const stored = () =>
    server.db
      .selectFrom('certificate')
      .innerJoin('silo', 'silo.id', 'certificate.silo_id')
      .select('certificate.name')
      .where('silo.name', '=', 'young')
      .execute()
  const wrongHost = young([good, await body('two')])
  expect(await server.admin.refusal('silo_create', wrongHost)).toMatchObject({
    status: 400,
    message: expect.stringContaining('["young.sys.cloud.example","young.sys.cloud.test"]'),
  })
  expect(await server.admin.refusal('silo_create', young([good, good]))).toMatchObject({
    message: 'already exists: certificate "one"',
  })
  const silo = { params: { silo: 'young' } }
  expect(await server.admin.refusal('silo_view', silo)).toMatchObject({ status: 404 })
  await server.admin.call('silo_create', young([good, { ...good, name: 'two' }]))
  expect((await stored()).map(({ name }) => name).toSorted()).toEqual(['one', 'two'])
  await server.admin.call('silo_delete', silo)
  expect(await stored()).toEqual([])
})

describe('expiring certificates', () => {
  /** As if the time had passed since they were added. */
  async function ending(caller: Caller, name: string, names: string[], days: number) {
    const { id } = await caller.call('certificate_create', { body: await body(name, { names }) })
    const time_ends = fromNow((days + 0.5) * DAY_MS).toISOString()
    await server.db.updateTable('certificate').set({ time_ends }).where('id', '=', id).execute()
  }
  const told = async (caller: Caller) =>
    (await caller.call('certificate_ending_list')).items.map(
      ({ silo_name, name }) => `${silo_name}/${name}`,
    )
  let boss: User
  beforeAll(async () => {
    const silo = await server.createSilo('autumn')
    boss = await server.createUser('boss', { silo: 'admin' }, silo)
    const host = 'autumn.sys.cloud.example'
    await ending(boss.caller, 'over', [host], -1)
    await ending(boss.caller, 'soon', [host, 'www.example'], 29)
    await ending(boss.caller, 'later', ['later.example', 'autumn.sys.cloud.test'], 31)
    const winter = await server.createSilo('winter')
    const other = await server.createUser('other', { silo: 'admin' }, winter)
    await ending(other.caller, 'old', ['winter.sys.cloud.example'], 3)
    await ending(other.caller, 'new', ['*.sys.cloud.example'], 90)
    await ending(other.caller, 'alone', ['winter.sys.cloud.test'], 0)
  })

  test('are reported to their admins and to operators, unless replaced', async () => {
    // A certificate is replaced by one that covers all of its names for longer.
    expect(await told(boss.caller)).toEqual(['autumn/soon'])
    const operator = await server.createUser('operator', { fleet: 'viewer' })
    expect(await told(operator.caller)).toEqual(['winter/alone', 'autumn/soon'])
    const nobody = await server.createUser('nobody', {}, await server.createSilo('spring'))
    expect(await told(nobody.caller)).toEqual([])
  })

  test('are logged once a day', async () => {
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const { database } = server.host.controlPlane
    const settings = { ...defaultSettings, log }
    const warn = (days: number) =>
      warnOfEndings({ database, settings, clock: () => fromNow(days * DAY_MS) })
    await warn(0)
    await warn(0)
    expect(lines).toEqual([
      expect.stringMatching(/^the certificate "alone" of silo "winter" ends in 0 days \(\S+Z\)$/),
      expect.stringMatching(/^the certificate "soon" of silo "autumn" ends in 29 days \(\S+Z\)$/),
    ])
    await Promise.all([warn(1), warn(1)])
    expect(lines.slice(2)).toEqual([
      expect.stringContaining('"alone" of silo "winter" has ended'),
      expect.stringContaining('"soon" of silo "autumn" ends in 28 days'),
    ])
  })
})
