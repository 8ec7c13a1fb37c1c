/** Checks which connections to other machines are in the clear. */
import { readFile, realpath } from 'node:fs/promises'
import { isLoopback } from '@steading/api/rules'
import type { ServerConfig } from '../config.ts'
import type { PlainConnections } from '../host-networks.ts'
import { isLocal, plainHostOf } from '../listening.ts'
import { hostName, hostUrls } from '../postgres-hosts.ts'
import { connectToPrimary } from '../primary-search.ts'
import { type Finding, ok, warning } from './finding.ts'
import { readByDriver } from './read-by-driver.ts'

const isHere = (host: string): boolean =>
  host === '' || host.startsWith('/') || isLocal(host) || isLoopback(host)

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
  const { databaseUrl, metricsUrl, sharedDirectory, encryptMoves } = config
  const host = plainHostOf(config)
  return [
    ...(databaseUrl === undefined
      ? []
      : [...databaseOf(databaseUrl), ...(await standbysOf(databaseUrl))]),
    ...(plain ? ovnOf(plain) : []),
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
