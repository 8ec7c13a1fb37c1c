/** The doctor says when certificates end: that of the server for OVN, and those that services show. */
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
import { checkCertificates } from '../src/doctor/certificates.ts'
import { lineOf } from '../src/doctor/finding.ts'
import { temporaryDirectory } from './support/process.ts'

const linesOf = async (config: Partial<ServerConfig>): Promise<string[]> =>
  (await checkCertificates({ ...defaultConfig(), ...config }, true)).map(lineOf)

test('the end of the certificate for OVN', async () => {
  const ovnCertificate = join(temporaryDirectory(), 'cert.pem')
  const config = { ovnNorthbound: [{ host: '10.0.0.1', port: 6641 }], ovnCertificate }
  const about = async () =>
    (await linesOf(config)).filter((line) => line.includes('certificate for OVN'))
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
  const about = async (...days: number[]) => {
    const ports = await Promise.all(days.map(showCertificate))
    const ovnNorthbound = ports.map((port) => ({ host: '127.0.0.1', port }))
    const lines = await linesOf({ ovnNorthbound, ovnCertificate, ovnPrivateKey })
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
