/** Certificates of silos: the hosts they are for, and when they end (control plane 4.5). */

/** A certificate that ends in fewer days is announced. */
export const CERTIFICATE_WARNING_DAYS = 30

export const DAY_MS = 24 * 60 * 60 * 1000

/** The host name of a silo in an external DNS zone. */
export const siloHost = (silo: string, zone: string): string => `${silo}.sys.${zone}`

/** The silo that a host name in one of the zones belongs to. */
export function siloOfHost(host: string, zones: readonly string[]): string | undefined {
  const name = plain(host)
  const zone = zones.find((zone) => name.endsWith(siloHost('', zone)))
  const silo = zone && name.slice(0, -siloHost('', zone).length)
  return silo && !silo.includes('.') ? silo : undefined
}

/**
 * The zone of the host name by which a console was reached, for names of other silos beside it. On an
 * address that is no host name of a silo there is none to know.
 */
export const zoneOfConsole = (hostname: string): string =>
  /^[a-z0-9-]+\.sys\.(.+)$/.exec(hostname)?.[1] ?? 'placeholder'

/** One trailing dot and the case of letters do not count. */
const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/**
 * Whether a name of a certificate covers a host. An asterisk stands for exactly one label, the
 * first one, and never alone.
 */
export function coversHost(name: string, host: string): boolean {
  const [covering, wanted] = [plain(name), plain(host)]
  if (covering === '' || covering === '*') return false
  if (!covering.startsWith('*.')) return covering === wanted
  const dot = wanted.indexOf('.')
  return dot > 0 && covering.slice(1) === wanted.slice(dot)
}

/** Whole days until a certificate ends; negative once it has ended. */
export const daysLeft = (end: Date, now: Date): number =>
  Math.floor((end.getTime() - now.getTime()) / DAY_MS)

/** What is wrong with a certificate, in the words of the contract. */
export const certificateProblems = {
  unreadable: (why?: string) => `Failed to parse certificate${why ? `: ${why}` : ''}`,
  empty: 'Certificate exists, but is empty',
  expired: 'Certificate exists, but is expired',
  otherKey: 'Certificate and private key do not match',
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

/** Whether another certificate covers everything that this one does, for longer. */
export const isReplacedBy = (one: CertificateValidity, other: CertificateValidity): boolean =>
  other.end > one.end &&
  one.names.every((name) => other.names.some((covering) => coversHost(covering, name)))
