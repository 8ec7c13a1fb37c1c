/** The doctor says when certificates end: that of the server for OVN, and those that services show. */
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { checkCertificates, libvirtService } from '../src/doctor/certificates.ts'
import { lineOf } from '../src/doctor/finding.ts'
import { temporaryDirectory } from './support/process.ts'
import { showCertificate } from './support/shown-certificate.ts'

const linesOf = async (config: Partial<ServerConfig>, hosts: string[] = []): Promise<string[]> => {
  const findings = await checkCertificates(
    { ...defaultConfig(), ...config },
    { hasOvn: true, hosts },
  )
  return findings.map(lineOf)
}

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
const show = (days: number) => showCertificate(days, (client) => clients.push(client))

test('databases of OVN that go on with an old certificate after a renewal', async () => {
  const directory = temporaryDirectory()
  const [ovnCertificate, ovnPrivateKey] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const { own, key } = await makeCertificate({ days: CERTIFICATE_WARNING_DAYS + 10 })
  writeFileSync(ovnCertificate, own)
  writeFileSync(ovnPrivateKey, key)
  const about = async (...days: number[]) => {
    const ports = await Promise.all(days.map(show))
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

test('the libvirt of hosts that are reached by TLS', async () => {
  const address = (port: number) => `qemu+tls://127.0.0.1:${port}/system?pkipath=/etc/pki`
  const about = async (...days: number[]) => {
    const ports = await Promise.all(days.map(show))
    return linesOf({}, [
      // Nobody answers there, and the others show no certificate.
      'qemu+tls://0.0.0.0:1/system',
      'qemu+ssh://root@127.0.0.1/system',
      'qemu:///system',
      ...ports.map(address),
    ])
  }
  expect(await about()).toEqual([])
  expect(await about(CERTIFICATE_WARNING_DAYS + 5)).toEqual([
    expect.stringMatching(/^ok {7}certificates of hosts: the first one ends on 2/),
  ])
  expect(await about(CERTIFICATE_WARNING_DAYS + 5, CERTIFICATE_WARNING_DAYS - 5, -1)).toEqual([
    expect.stringMatching(
      /^problem {2}certificates of hosts: that of 127\.0\.0\.1:\d+ ended on 2\S+, that of 127\S+ ends on 2\S+; .*virt-admin/,
    ),
  ])
})

test.each([
  ['qemu+tls://mill/system', { host: 'mill', port: 16_514 }],
  ['qemu+tls://[fd00::7]:16515/system?pkipath=/etc/pki', { host: 'fd00::7', port: 16_515 }],
])('libvirt at %s', (address, service) => {
  expect(libvirtService(address)).toEqual(service)
})

test('VictoriaMetrics that is reached by TLS', async () => {
  const port = await show(-1)
  expect(await linesOf({ metricsUrl: `https://127.0.0.1:${port}/` })).toEqual([
    expect.stringMatching(/^problem {2}certificates of VictoriaMetrics: that of 127\S+ ended on 2/),
  ])
  expect(await linesOf({ metricsUrl: `http://127.0.0.1:${port}/` })).toEqual([])
})
