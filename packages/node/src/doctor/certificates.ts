/**
 * Checks when certificates end: that of this server for OVN, and those that services show. What they
 * show may be older than their files.
 */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { CERTIFICATE_WARNING_DAYS, DAY_MS } from '@steading/api/rules'
import { errorMessage } from '@steading/files'
import type { ServerConfig } from '../config.ts'
import { southboundOf } from '../host-networks.ts'
import { hostUrls } from '../postgres-hosts.ts'
import { type Finding, type Level, ok, problem } from './finding.ts'
import { readByDriver } from './read-by-driver.ts'
import { shownEnd, type TlsService } from './shown-certificates.ts'

const LIBVIRT_TLS_PORT = 16_514
const HTTPS_PORT = 443

/** Level and text of the finding about a certificate that ends at this time. */
export function endOf(ends: Date, now: Date): { level: Level; text: string } {
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

/** Where a URL leads by TLS. @param usual port of its protocol */
function serviceAt(url: string, usual: number): TlsService {
  const { hostname, port } = new URL(url)
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: port === '' ? usual : Number(port) }
}

/** @param address of libvirt, by TLS */
export const libvirtService = (address: string): TlsService => serviceAt(address, LIBVIRT_TLS_PORT)

/**
 * Certificates that the services of the configuration and the hosts show.
 * @param hosts addresses of their libvirt
 */
async function shownCertificates(
  config: ServerConfig,
  hosts: readonly string[],
  now: Date,
): Promise<Finding[]> {
  const { databaseUrl, metricsUrl, ovnNorthbound, ovnPrivateKey, ovnCertificate } = config
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
  const byTls = hosts.filter((address) => address.startsWith('qemu+tls:'))
  findings.push(
    shownBy(
      'certificates of hosts',
      // Libvirt shows its own before it looks at that of the client.
      byTls.map(libvirtService),
      'make a new one, and have libvirt read it: virt-admin server-update-tls libvirtd',
      now,
    ),
  )
  if (metricsUrl?.startsWith('https:')) {
    const services = [serviceAt(metricsUrl, HTTPS_PORT)]
    findings.push(shownBy('certificates of VictoriaMetrics', services, 'make a new one', now))
  }
  return (await Promise.all(findings)).flat()
}

/** What else of an installation has certificates, besides the services of its configuration. */
interface Certified {
  /** Whether other machines take part in the networks of machines. */
  hasOvn: boolean
  /** Addresses of the libvirt of hosts in service. */
  hosts: readonly string[]
}

export async function checkCertificates(
  config: ServerConfig,
  { hasOvn, hosts }: Certified,
): Promise<Finding[]> {
  const now = new Date()
  return [
    ...(hasOvn && typeof config.ovnNorthbound !== 'string'
      ? [await certificateOf(config.ovnCertificate, now)]
      : []),
    ...(await shownCertificates(config, hosts, now)),
  ]
}
