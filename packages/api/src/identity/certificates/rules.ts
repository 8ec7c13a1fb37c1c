/** Silo certificates: their hosts and expiry (control plane 4.5). */

/** Certificates with fewer days left cause a warning. */
export const CERTIFICATE_WARNING_DAYS = 30

export const DAY_MS = 24 * 60 * 60 * 1000

/** The host name of a silo in an external DNS zone. */
export const siloHost = (silo: string, zone: string): string => `${silo}.sys.${zone}`

/** The silo of a host name in one of the zones. */
export function siloOfHost(host: string, zones: readonly string[]): string | undefined {
  const name = plain(host)
  const zone = zones.find((zone) => name.endsWith(siloHost('', zone)))
  const silo = zone && name.slice(0, -siloHost('', zone).length)
  return silo && !silo.includes('.') ? silo : undefined
}

/**
 * The DNS zone of the console's host name, used to name other silos; `placeholder` on an
 * address that is not a silo's host name.
 */
export const zoneOfConsole = (hostname: string): string =>
  /^[a-z0-9-]+\.sys\.(.+)$/.exec(hostname)?.[1] ?? 'placeholder'

/** Case and one trailing dot are insignificant. */
const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/**
 * Whether a certificate name covers a host. An asterisk matches exactly one label, the first one,
 * and covers nothing on its own.
 */
export function coversHost(name: string, host: string): boolean {
  const [covering, wanted] = [plain(name), plain(host)]
  if (covering === '' || covering === '*') return false
  if (!covering.startsWith('*.')) return covering === wanted
  const dot = wanted.indexOf('.')
  return dot > 0 && covering.slice(1) === wanted.slice(dot)
}

/** Whole days until expiry; negative afterwards. */
export const daysLeft = (end: Date, now: Date): number =>
  Math.floor((end.getTime() - now.getTime()) / DAY_MS)

/** Problems of a certificate, in the words of the contract. */
export const certificateProblems = {
  unreadable: (why?: string) => `Failed to parse certificate${why ? `: ${why}` : ''}`,
  empty: 'Certificate exists, but is empty',
  expired: 'Certificate exists, but is expired',
  otherKey: 'Certificate and private key do not match',
  issuerFirst: 'The chain begins with an issuer: put the certificate of the server first',
  purpose: 'Unsupported certificate purpose (not usable for server auth)',
  weak: (bits: number) => `Certificate has a key that is too weak: RSA needs ${bits} bits or more`,
  hosts: (hosts: readonly string[], names: readonly string[]) =>
    `Certificate not valid for given hostnames ${JSON.stringify(hosts)}: ${
      names.length > 0 ? `its names are ${names.join(', ')}` : 'it has no names'
    }`,
  key: (why?: string) => `Failed to parse private key${why ? `: ${why}` : ''}`,
} as const

export interface CertificateValidity {
  names: readonly string[]
  end: Date
}

/** Whether another certificate covers every name of this one, and expires later. */
export const isReplacedBy = (one: CertificateValidity, other: CertificateValidity): boolean =>
  other.end > one.end &&
  one.names.every((name) => other.names.some((covering) => coversHost(covering, name)))
