/** The doctor says which connections to other machines are in the clear. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { CERTIFICATE_WARNING_DAYS } from '@steading/api/rules'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../api/test/support/certificates.ts'
import {
  ownedByUser,
  postgresMissing,
  startPostgres,
} from '../../control-plane/test/support/postgres.ts'
import { until } from '../../control-plane/test/support/things.ts'
import { defaultConfig, type ServerConfig } from '../src/config.ts'
import { checkConnections, nfsAt } from '../src/doctor/connections.ts'
import { lineOf } from '../src/doctor/finding.ts'
import { temporaryDirectory } from './support/process.ts'

const linesOf = async (
  config: Partial<ServerConfig>,
  plain?: Parameters<typeof checkConnections>[1],
): Promise<string[]> =>
  (await checkConnections({ ...defaultConfig(), ...config }, plain)).map(lineOf)

test('a server that is alone on its machine has none', async () => {
  expect(await linesOf({})).toEqual([])
  expect(await linesOf({ databaseUrl: 'postgres://127.0.0.1:1/none' })).toEqual([])
  expect(await linesOf({ databaseUrl: 'postgres:///none?host=/run/postgresql' })).toEqual([])
  expect(await linesOf({ metricsUrl: 'http://[::1]:8428' })).toEqual([])
})

// Nothing listens there, and it is no loopback address.
const ELSEWHERE = '0.0.0.0:1'

test.each([
  [
    '',
    /^warning {2}connections to the database: in the clear to 0\.0\.0\.0:1; .*sslmode=verify-full/,
  ],
  ['?sslmode=disable', /^warning {2}connections to the database: in the clear to 0\.0\.0\.0:1; /],
  [
    '?sslmode=no-verify',
    /^warning .*: encrypted, but nothing proves that 0\.0\.0\.0:1 is the database; /,
  ],
  ['?sslmode=require&uselibpqcompat=true', /^warning .*: encrypted, but nothing proves /],
  ['?sslmode=verify-full', /^ok .*: encrypted, and each host is proven by its certificate$/],
])('the database with %s', async (query, expected) => {
  expect(
    await linesOf({ databaseUrl: `postgres://user:secret@${ELSEWHERE}/none${query}` }),
  ).toEqual([expect.stringMatching(expected)])
})

test('a certificate of the database that cannot be read is left to the finding about the database', async () => {
  const databaseUrl = `postgres://${ELSEWHERE}/none?sslmode=verify-full&sslrootcert=/nowhere.pem`
  expect(await linesOf({ databaseUrl })).toEqual([])
})

test('OVN, moves, metrics and the API', async () => {
  const config = { sharedDirectory: '/', metricsUrl: `http://${ELSEWHERE}`, host: '0.0.0.0' }
  const plain = {
    controller: ['tcp:10.0.0.1:6642'],
    open: ['ptcp:6641'],
    members: ['tcp:10.0.0.1:6643'],
  }
  expect(await linesOf(config, plain)).toEqual([
    expect.stringMatching(
      /^warning .*OVN: ovn-controller reaches tcp:10\.0\.0\.1:6642 in the clear; /,
    ),
    expect.stringMatching(/^warning .*OVN: its databases are open to everybody at ptcp:6641; /),
    expect.stringMatching(/^warning .*OVN: its databases send each other .*tcp:10\.0\.0\.1:6643; /),
    expect.stringMatching(
      /^warning {2}tunnels between hosts: packets of instances are in the clear; /,
    ),
    expect.stringMatching(/^warning {2}moves of instances: .*; .*--encrypt-moves$/),
    expect.stringMatching(/^warning {2}connection to VictoriaMetrics: in the clear; /),
    expect.stringMatching(/^warning {2}console and API: in the clear on 0\.0\.0\.0, /),
  ])
  const secure = { ...config, metricsUrl: `https://${ELSEWHERE}`, encryptMoves: true, tlsPort: 443 }
  expect(await linesOf(secure, { controller: [], open: [], members: [] })).toEqual([
    'ok       connections of OVN: encrypted',
    expect.stringMatching(/^warning {2}tunnels between hosts: /),
    'ok       moves of instances: encrypted',
    'ok       connection to VictoriaMetrics: encrypted',
  ])
})

test('the end of the certificate for OVN', async () => {
  const ovnCertificate = join(temporaryDirectory(), 'cert.pem')
  const config = { ovnNorthbound: [{ host: '10.0.0.1', port: 6641 }], ovnCertificate }
  const nothing = { controller: [], open: [], members: [] }
  const about = async () =>
    (await linesOf(config, nothing)).filter((line) => line.includes('certificate for OVN'))
  expect(await about()).toEqual([expect.stringMatching(/^problem .*cannot be read: ENOENT/)])
  for (const [days, expected] of [
    [CERTIFICATE_WARNING_DAYS + 10, /^ok .*: ends on 2\d{3}-/],
    [CERTIFICATE_WARNING_DAYS - 10, /^warning .*: ends on 2.*; make a new one/],
    [-1, /^problem .*: ended on 2.*; make a new one/],
  ] as const) {
    writeFileSync(ovnCertificate, (await makeCertificate({ days })).own)
    expect(await about()).toEqual([expect.stringMatching(expected)])
  }
})

/** The certificates of those who have connected. */
const clients: (Buffer | undefined)[] = []

/** Listens with TLS, and shows a certificate that ends in some days. */
async function showCertificate(days: number): Promise<number> {
  const { own: cert, key } = await makeCertificate({ days })
  // As of TLS 1.3, the client is done before the server knows it.
  const server = createServer({
    cert,
    key,
    requestCert: true,
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.2',
  })
  server.on('secureConnection', (socket) => clients.push(socket.getPeerX509Certificate()?.raw))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('databases of OVN that go on with an old certificate after a renewal', async () => {
  const directory = temporaryDirectory()
  const [ovnCertificate, ovnPrivateKey] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const { own, key } = await makeCertificate({ days: CERTIFICATE_WARNING_DAYS + 10 })
  writeFileSync(ovnCertificate, own)
  writeFileSync(ovnPrivateKey, key)
  const nothing = { controller: [], open: [], members: [] }
  const about = async (...days: number[]) => {
    const ports = await Promise.all(days.map(showCertificate))
    const ovnNorthbound = ports.map((port) => ({ host: '127.0.0.1', port }))
    const lines = await linesOf({ ovnNorthbound, ovnCertificate, ovnPrivateKey }, nothing)
    expect(lines).toContainEqual(expect.stringMatching(/^ok .*certificate for OVN: ends on 2/))
    return lines.filter((line) => line.includes('databases of OVN'))
  }
  expect(await about(CERTIFICATE_WARNING_DAYS + 5, CERTIFICATE_WARNING_DAYS + 20)).toEqual([
    expect.stringMatching(/^ok {7}certificates of the databases of OVN: the first one ends on 2/),
  ])
  expect(await about(CERTIFICATE_WARNING_DAYS + 5, CERTIFICATE_WARNING_DAYS - 5)).toEqual([
    expect.stringMatching(
      /^warning .*: that of 127\.0\.0\.1:\d+ ends on 2\S+; .*touch the file of its key/,
    ),
  ])
  expect(await about(2, -1)).toEqual([
    expect.stringMatching(/^problem .* ended on 2\S+, that of 127\.0\.0\.1:\d+ ends on 2\S+; /),
  ])
  expect(clients).toEqual(Array(6).fill(new X509Certificate(own).raw))
  // Databases that do not answer are a finding elsewhere.
  expect(await about()).toEqual([])
})

test.skipIf(postgresMissing() !== undefined)(
  'a PostgreSQL that goes on with an old certificate after a renewal',
  async () => {
    const home = temporaryDirectory()
    const postgres = await startPostgres(home)
    onTestFinished(() => postgres.stop())
    const write = async (days: number) => {
      const { own, key } = await makeCertificate({ days })
      for (const [name, text] of [
        ['server.crt', own],
        ['server.key', key],
      ] as const) {
        const path = join(home, 'data', name)
        writeFileSync(path, text, { mode: 0o600 })
        await ownedByUser(path)
      }
    }
    const client = new Client(postgres.url)
    await client.connect()
    onTestFinished(() => client.end())
    const reload = () => client.query('select pg_reload_conf()')
    const shown = async () => {
      const [line] = await until(
        () => linesOf({ databaseUrl: `${postgres.url}?sslmode=no-verify` }),
        (lines) => expect(lines).toHaveLength(1),
      )
      return line
    }

    await write(-1)
    await client.query("alter system set ssl = 'on'")
    await reload()
    expect(await shown()).toMatch(
      /^problem .*the database: that of 127\.0\.0\.1:\d+ ended on 2\S+; .*reload its configuration/,
    )
    await write(CERTIFICATE_WARNING_DAYS + 10)
    expect(await shown()).toMatch(/^problem /)
    await reload()
    await until(shown, (line) =>
      expect(line).toMatch(/^ok .*certificates of the database: the first one ends on 2/),
    )
  },
)

test.each([
  ['nas:/a /srv/steading nfs4 rw,sec=sys 0 0', { encrypted: false }],
  ['nas:/a /srv/steading nfs4 rw,sec=krb5p,hard 0 0', { encrypted: true }],
  ['nas:/a /srv nfs rw,xprtsec=mtls 0 0', { encrypted: true }],
  ['nas:/a /srv/steading nfs4 rw 0 0\n/dev/sda /srv/steading/disks xfs rw 0 0', undefined],
  ['nas:/a /srv/stead nfs4 rw 0 0', undefined],
])('the shared file system among %j', (mounts, expected) => {
  expect(nfsAt('/srv/steading/disks', `/dev/vda / ext4 rw 0 0\n${mounts}\n`)).toEqual(expected)
})
