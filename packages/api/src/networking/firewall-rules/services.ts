/** Traffic by the names that people use for it: SSH, HTTPS, ping, databases, or ports as typed. */
import { ipVersion } from '../../rules/ip.ts'
import { cidrFieldProblem } from '../../rules/ip-fields.ts'
import { FIREWALL_PARTS_MAX, formatRange, parsePortRange } from './rules.ts'
import { PING_TYPES, type SpokenHost, type SpokenProtocol } from './sentences.ts'

/** The traffic of a rule that is written in one line. */
export interface Service {
  /** The part of a generated name: `ssh`, `tcp-8080`. */
  slug: string
  protocols: SpokenProtocol[]
  ports: string[]
}

export interface ServicePreset extends Service {
  label: string
  /** Protocol and port as text, such as `TCP 22`. */
  detail: string
}

const tcp = (slug: string, label: string, port: number): ServicePreset => ({
  slug,
  label,
  detail: `TCP ${port}`,
  protocols: [{ type: 'tcp' }],
  ports: [String(port)],
})

const ping = (slug: string, label: string, type: 'icmp' | 'icmp6'): ServicePreset => ({
  slug,
  label,
  detail: `ICMP${type === 'icmp' ? 'v4' : 'v6'} type ${PING_TYPES[type]}`,
  protocols: [{ type, value: { icmpType: PING_TYPES[type] } }],
  ports: [],
})

/** Traffic that is offered by name, with the registered ports. */
export const servicePresets: readonly ServicePreset[] = [
  tcp('ssh', 'SSH', 22),
  tcp('http', 'HTTP', 80),
  tcp('https', 'HTTPS', 443),
  ping('ping', 'Ping', 'icmp'),
  ping('ping6', 'Ping over IPv6', 'icmp6'),
  tcp('postgresql', 'PostgreSQL', 5432),
  tcp('mysql', 'MySQL', 3306),
  tcp('redis', 'Redis', 6379),
  tcp('mongodb', 'MongoDB', 27017),
  tcp('rdp', 'Remote Desktop', 3389),
  {
    slug: 'dns',
    label: 'DNS',
    detail: 'TCP/UDP 53',
    protocols: [{ type: 'tcp' }, { type: 'udp' }],
    ports: ['53'],
  },
  {
    slug: 'wireguard',
    label: 'WireGuard',
    detail: 'UDP 51820',
    protocols: [{ type: 'udp' }],
    ports: ['51820'],
  },
]

/** Refusals of typed traffic. */
export const serviceMessages = {
  empty: 'Choose what to allow, or type ports such as 8080, 8000-8100 or udp/53',
  notPorts: (text: string) =>
    `“${text}” is neither a service nor a port. Type ports such as 8080, 8000-8100 or udp/53`,
  outOfRange: 'Ports are numbers from 1 to 65535',
  reversed: (text: string) => `The range ${text} ends before it begins`,
  noPort: (protocol: string) => `Type a port as well, such as ${protocol}/8080`,
  severalProtocols:
    'A rule applies all its ports to all its protocols: add a rule for each protocol',
  icmp: 'Choose Ping. Other types of ICMP are under “More options”',
  tooMany: `A rule has at most ${FIREWALL_PARTS_MAX} ports`,
} as const

/** Characters of typed traffic: the most ports, with blanks. */
const TYPED_MAX = 13 * FIREWALL_PARTS_MAX

export type ParsedService = { service: Service } | { problem: string }

const protocolWords: Readonly<Record<string, readonly ('tcp' | 'udp')[]>> = {
  tcp: ['tcp'],
  udp: ['udp'],
  'tcp/udp': ['tcp', 'udp'],
  'tcp+udp': ['tcp', 'udp'],
}

/** A part of the typed text: `tcp/8080`, `8080/udp`, `tcp 8080`, `8080`. */
const part = /^(?:(tcp\/udp|tcp\+udp|tcp|udp)[/: ]*)?(\d[\d -]*)?(?:[/ ]+(tcp|udp))?$/

const same = (text: string): string => text.toLowerCase().replaceAll(/[\s-]/g, '')

/**
 * Reads traffic: the name of a preset, or ports with an optional protocol, TCP by default. Anything
 * with two possible meanings is refused.
 */
export function parseService(text: string): ParsedService {
  const typed = text.trim().toLowerCase().replaceAll(/[–—−]/g, '-')
  if (typed === '') return { problem: serviceMessages.empty }
  if (typed.length > TYPED_MAX) return { problem: serviceMessages.tooMany }
  const preset = servicePresets.find(
    ({ slug, label }) => same(slug) === same(typed) || same(label) === same(typed),
  )
  if (preset) return { service: preset }
  if (typed.startsWith('icmp')) return { problem: serviceMessages.icmp }
  const ports = new Set<string>()
  let protocol: string | undefined
  for (const [index, piece] of typed.split(',').entries()) {
    const match = part.exec(piece.trim())
    const range = match?.[2]?.trim().replace(/\s*-\s*/, '-')
    const named = match?.[1] ?? match?.[3]
    if (!match || (match[1] && match[3]) || (range !== undefined && /\s|-.*-|-$/.test(range))) {
      return { problem: serviceMessages.notPorts(text.trim()) }
    }
    if (range === undefined) {
      return {
        problem: named ? serviceMessages.noPort(named) : serviceMessages.notPorts(text.trim()),
      }
    }
    // `udp/53, 123`: the protocol before the first port is that of all.
    if (index === 0) protocol = named
    else if (named !== undefined && named !== (protocol ?? 'tcp')) {
      return { problem: serviceMessages.severalProtocols }
    }
    const parsed = parsePortRange(range)
    if ('problem' in parsed) return { problem: serviceMessages.outOfRange }
    if (parsed.range.first > parsed.range.last) return { problem: serviceMessages.reversed(range) }
    ports.add(formatRange(parsed.range))
  }
  if (ports.size > FIREWALL_PARTS_MAX) return { problem: serviceMessages.tooMany }
  const protocols = protocolWords[protocol ?? 'tcp']!
  return {
    service: {
      slug: [...protocols, ...ports].join('-'),
      protocols: protocols.map((type) => ({ type })),
      ports: [...ports],
    },
  }
}

/** Refusals of a typed source. */
export const sourceMessages = {
  empty: 'Choose a source, or type an address or a network such as 203.0.113.0/24',
  unknown: (text: string) =>
    `“${text}” is not in the list. Type an address or a network such as 203.0.113.0/24`,
} as const

/** Reads a typed address or network as the other end of traffic. */
export function parseSource(text: string): { host: SpokenHost } | { problem: string } {
  const typed = text.trim()
  if (typed === '') return { problem: sourceMessages.empty }
  if (ipVersion(typed)) return { host: { type: 'ip', value: typed } }
  if (!/^[\d.]+\/|:.*\/|^[\d.]+$/.test(typed)) return { problem: sourceMessages.unknown(typed) }
  const problem = cidrFieldProblem(typed)
  // The API rejects leading zeros of the width.
  return problem
    ? { problem }
    : { host: { type: 'ip_net', value: typed.replace(/\/0+(?=\d)/, '/') } }
}

/** Why traffic cannot come from a source, such as IPv4 pings from an IPv6 address. */
export function sourceMismatch({ protocols }: Service, source: SpokenHost | null) {
  if (!source || (source.type !== 'ip' && source.type !== 'ip_net')) return undefined
  const version = ipVersion(source.value.split('/')[0]!)
  const wrong = version === 'v6' ? 'icmp' : 'icmp6'
  if (!protocols.every(({ type }) => type === wrong)) return undefined
  return version === 'v6'
    ? 'Pings over IPv4 never come from an IPv6 address: choose Ping over IPv6'
    : 'Pings over IPv6 never come from an IPv4 address: choose Ping'
}
