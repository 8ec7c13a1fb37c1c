/** Checks which connections to other machines are in the clear. */
import { X509Certificate } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { isIP } from 'node:net'
import { CERTIFICATE_WARNING_DAYS, DAY_MS, isLoopback } from '@steading/api/rules'
import { errorMessage } from '@steading/files'
import { Client } from 'pg'
import type { ServerConfig } from '../config.ts'
import { type PlainConnections, southboundOf } from '../host-networks.ts'
import { isLocal, plainHostOf } from '../listening.ts'
import { hostName, hostUrls } from '../postgres-hosts.ts'
import { connectToPrimary } from '../primary-search.ts'
import { type Finding, type Level, ok, problem, warning } from './finding.ts'
import { shownEnd, type TlsService } from './shown-certificates.ts'

const isHere = (host: string): boolean =>
  host === '' || host.startsWith('/') || isLocal(host) || isLoopback(host)

/** How the driver reads a URL, which it says without connecting. */
function readByDriver(url: string): {
  host: string
  port: number
  ssl: boolean | { rejectUnauthorized?: boolean }
} {
  try {
    return new Client({ connectionString: url }) as unknown as ReturnType<typeof readByDriver>
  } catch {
    // A file of a certificate cannot be read; it does not connect, and that is a finding already.
    return { host: '', port: 0, ssl: true }
  }
}

/** The hosts of the database that are reached without TLS, or without proof who they are. */
function databaseOf(databaseUrl: string): Finding[] {
  const about = 'connections to the database'
  const read = hostUrls(databaseUrl).map((url) => ({ name: hostName(url), ...readByDriver(url) }))
  const hosts = read.filter(({ host }) => !isHere(host))
  if (hosts.length === 0) return []
  const advice =
    'let PostgreSQL use TLS, and add sslmode=verify-full and sslrootcert=FILE to --database-url'
  const plain = hosts.filter(({ ssl }) => ssl === false)
  if (plain.length > 0) {
    const names = plain.map(({ name }) => name).join(', ')
    return [warning(about, `in the clear to ${names}`, advice)]
  }
  const unknown = hosts.filter(
    ({ ssl }) => typeof ssl === 'object' && ssl.rejectUnauthorized === false,
  )
  if (unknown.length > 0) {
    const names = unknown.map(({ name }) => name).join(', ')
    return [warning(about, `encrypted, but nothing proves that ${names} is the database`, advice)]
  }
  return [ok(about, 'encrypted, and each host is proven by its certificate')]
}

/** Standbys that are sent the database in the clear. Not every user sees that. */
async function standbysOf(databaseUrl: string): Promise<Finding[]> {
  const about = 'replication of the database'
  const found = await connectToPrimary(databaseUrl).catch(() => undefined)
  // That it does not answer is a finding of its own.
  if (!found) return []
  const { client } = found
  try {
    const { rows } = await client.query<{ host: string; ssl: boolean }>(
      `select host(client_addr) as host, ssl from pg_stat_replication join pg_stat_ssl using (pid)
       where client_addr is not null and ssl is not null`,
    )
    const elsewhere = rows.filter(({ host }) => !isHere(host))
    const plain = elsewhere.filter(({ ssl }) => !ssl)
    if (plain.length > 0) {
      const hosts = plain.map(({ host }) => host).join(', ')
      const advice = 'set sslmode in primary_conninfo of the standbys, and hostssl in pg_hba.conf'
      return [warning(about, `in the clear to ${hosts}`, advice)]
    }
    return elsewhere.length > 0 ? [ok(about, 'encrypted')] : []
  } finally {
    await client.end().catch(() => {})
  }
}

function ovnOf({ controller, open, members }: PlainConnections): Finding[] {
  const about = 'connections of OVN'
  const found = [
    ...(controller.length > 0
      ? [
          warning(
            about,
            `ovn-controller reaches ${controller.join(', ')} in the clear`,
            'make it a certificate, and set external_ids:ovn-remote of Open vSwitch to ssl:…',
          ),
        ]
      : []),
    ...(open.length > 0
      ? [
          warning(
            about,
            `its databases are open to everybody at ${open.join(', ')}`,
            'open them by pssl:… instead, with certificates',
          ),
        ]
      : []),
    ...(members.length > 0
      ? [
          warning(
            about,
            `its databases send each other changes in the clear, at ${members.join(', ')}`,
            'make the cluster anew with ssl:…',
          ),
        ]
      : []),
  ]
  return [
    ...(found.length > 0 ? found : [ok(about, 'encrypted')]),
    warning(
      'tunnels between hosts',
      'packets of instances are in the clear',
      'give the hosts a network of their own for them (external_ids:ovn-encap-ip)',
    ),
  ]
}

/** Level and text of the finding about a certificate that ends at this time. */
function endOf(ends: Date, now: Date): { level: Level; text: string } {
  const left = ends.getTime() - now.getTime()
  if (left <= 0) return { level: 'problem', text: `ended on ${ends.toISOString()}` }
  const level = left < CERTIFICATE_WARNING_DAYS * DAY_MS ? 'warning' : 'ok'
  return { level, text: `ends on ${ends.toISOString()}` }
}

/** The certificate of this server for OVN, which the other parts of a cluster have as well. */
async function certificateOf(path: string, now: Date): Promise<Finding> {
  const about = 'certificate for OVN'
  const advice = 'make a new one; the playbook of a cluster does so when it is run'
  try {
    const { level, text } = endOf(new Date(new X509Certificate(await readFile(path)).validTo), now)
    return { level, about, text, ...(level !== 'ok' && { advice }) }
  } catch (error) {
    return problem(about, `${path} cannot be read: ${errorMessage(error)}`, advice)
  }
}

/**
 * Finding about the certificates that services show. It names each certificate that ends soon;
 * without any, it tells the earliest end. Services that do not answer are left out.
 */
async function shownBy(
  about: string,
  services: readonly TlsService[],
  advice: string,
  now: Date,
): Promise<Finding[]> {
  const answers = await Promise.allSettled(services.map(shownEnd))
  const shown = answers.flatMap((answer, index) => {
    if (answer.status === 'rejected') return []
    const { host, port } = services[index]!
    return [{ ends: answer.value, name: `${isIP(host) === 6 ? `[${host}]` : host}:${port}` }]
  })
  const byEnd = shown.toSorted((one, other) => one.ends.getTime() - other.ends.getTime())
  const found = byEnd.map(({ ends, name }) => ({ name, ...endOf(ends, now) }))
  const bad = found.filter(({ level }) => level !== 'ok')
  const [first] = found
  if (!first) return []
  if (bad.length === 0) return [ok(about, `the first one ${first.text}`)]
  const text = bad.map((each) => `that of ${each.name} ${each.text}`).join(', ')
  return [{ level: first.level, about, text, advice }]
}

/** Where the databases of OVN and PostgreSQL show certificates. */
async function shownCertificates(config: ServerConfig, now: Date): Promise<Finding[]> {
  const { databaseUrl, ovnNorthbound, ovnPrivateKey, ovnCertificate } = config
  const findings: Promise<Finding[]>[] = []
  if (typeof ovnNorthbound !== 'string') {
    const read = (path: string) => readFile(path, 'utf8').catch(() => '')
    const [key, cert] = await Promise.all([read(ovnPrivateKey), read(ovnCertificate)])
    const databases = [...ovnNorthbound, ...southboundOf(ovnNorthbound)]
    // Files that cannot be read are a finding already.
    const own = key !== '' && cert !== '' ? { own: { key, cert } } : {}
    const services = databases.map((each) => ({ ...each, ...own }))
    const advice =
      'if its file is newer, touch the file of its key, which OVN looks at too; the playbook of a cluster does so when it is run'
    findings.push(shownBy('certificates of the databases of OVN', services, advice, now))
  }
  if (databaseUrl !== undefined) {
    const services = hostUrls(databaseUrl)
      .map(readByDriver)
      .filter(({ host, ssl }) => ssl !== false && host !== '' && !host.startsWith('/'))
      .map(({ host, port }) => ({ host, port, postgres: true }))
    const advice = 'make a new one, and have PostgreSQL reload its configuration'
    findings.push(shownBy('certificates of the database', services, advice, now))
  }
  return (await Promise.all(findings)).flat()
}

/** NFS, which encrypts with Kerberos or TLS only; other file systems are not known well enough. */
async function directoryOf(directory: string): Promise<Finding[]> {
  const about = 'shared directory'
  const path = await realpath(directory).catch(() => directory)
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '')
  const found = nfsAt(path, mounts)
  if (!found) return []
  return [
    found.encrypted
      ? ok(about, 'its NFS is encrypted')
      : warning(
          about,
          'its NFS is in the clear, and with it the disks of instances',
          'mount it with xprtsec=mtls or sec=krb5p, or in a network that only hosts and the file server have',
        ),
  ]
}

/**
 * Whether the file system of a path is NFS, and whether that is encrypted.
 * @param mounts as in `/proc/self/mounts`
 */
export function nfsAt(path: string, mounts: string): { encrypted: boolean } | undefined {
  const above = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, at = '', type = '', options = '']) => ({
      // Blanks and the like are written in octal.
      at: at.replaceAll(/\\(\d{3})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 8)),
      ),
      type,
      options,
    }))
    .filter(({ at }) => at === '/' || path === at || path.startsWith(`${at}/`))
  // Of several mounts at the same place, the last one counts.
  const last = above.reduce<(typeof above)[number] | undefined>(
    (best, next) => (best && best.at.length > next.at.length ? best : next),
    undefined,
  )
  if (!last || !/^nfs4?$/.test(last.type)) return undefined
  return { encrypted: /(^|,)(sec=krb5p|xprtsec=m?tls)(,|$)/.test(last.options) }
}

function metricsOf(metricsUrl: string): Finding[] {
  const { protocol, hostname } = new URL(metricsUrl)
  if (isHere(hostname.replaceAll(/[[\]]/g, ''))) return []
  const about = 'connection to VictoriaMetrics'
  return [
    protocol === 'https:'
      ? ok(about, 'encrypted')
      : warning(about, 'in the clear', 'give it a certificate, and --metrics-url an https URL'),
  ]
}

/** The findings about connections that leave this machine; none if there are none. */
export async function checkConnections(
  config: ServerConfig,
  plain: PlainConnections | undefined,
): Promise<Finding[]> {
  const { databaseUrl, metricsUrl, sharedDirectory, encryptMoves, ovnNorthbound } = config
  const host = plainHostOf(config)
  const now = new Date()
  return [
    ...(databaseUrl === undefined
      ? []
      : [...databaseOf(databaseUrl), ...(await standbysOf(databaseUrl))]),
    ...(plain ? ovnOf(plain) : []),
    ...(plain && typeof ovnNorthbound !== 'string'
      ? [await certificateOf(config.ovnCertificate, now)]
      : []),
    ...(await shownCertificates(config, now)),
    ...(sharedDirectory === undefined
      ? []
      : [
          encryptMoves
            ? ok('moves of instances', 'encrypted')
            : warning(
                'moves of instances',
                'their memory is in the clear',
                'give the hosts certificates in /etc/pki/qemu, and start with --encrypt-moves',
              ),
          ...(await directoryOf(sharedDirectory)),
        ]),
    ...(metricsUrl === undefined ? [] : metricsOf(metricsUrl)),
    ...(isHere(host)
      ? []
      : [
          warning(
            'console and API',
            `in the clear on ${host}, also from a proxy on another machine`,
            'start with --tls-port, or with a proxy on this machine and --host 127.0.0.1',
          ),
        ]),
  ]
}
