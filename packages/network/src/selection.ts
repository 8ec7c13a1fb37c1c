/**
 * Sets of ports. For ICMP, the pair of type and code takes the place of the port, so that one
 * arithmetic serves all protocols.
 */
import type { IpVersion } from '@steading/api/rules'
import type { RuleRow } from './rows.ts'

export type Protocol = 'tcp' | 'udp' | 'icmp' | 'icmp6'

/** Protocols available with an IP version. */
export const protocolsOf = (version: IpVersion): readonly Protocol[] =>
  version === 'v4' ? ['tcp', 'udp', 'icmp'] : ['tcp', 'udp', 'icmp6']

/** First and last of some consecutive ports. */
export type Span = readonly [first: number, last: number]
/** Sorted, without overlapping or adjacent spans. */
export type Ports = readonly Span[]

const LAST_PORT = 65_535
const CODES = 256

export const isIcmp = (protocol: Protocol): boolean => protocol === 'icmp' || protocol === 'icmp6'

export const icmpPort = (type: number, code: number): number => type * CODES + code
export const icmpOfPort = (port: number): { type: number; code: number } => ({
  type: Math.floor(port / CODES),
  code: port % CODES,
})

/** All ports of a protocol; port 0 does not exist. */
export const allPorts = (protocol: Protocol): Ports => [[isIcmp(protocol) ? 0 : 1, LAST_PORT]]

/** Sorts spans, and joins touching ones. */
export function portsOf(spans: Iterable<Span>): Ports {
  const joined: [number, number][] = []
  for (const [first, last] of [...spans].sort(([a], [b]) => a - b)) {
    const previous = joined.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else joined.push([first, last])
  }
  return joined
}

export function intersect(a: Ports, b: Ports): Ports {
  const common: Span[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const first = Math.max(a[i]![0], b[j]![0])
    const last = Math.min(a[i]![1], b[j]![1])
    if (first <= last) common.push([first, last])
    if (a[i]![1] < b[j]![1]) i++
    else j++
  }
  return common
}

export function without(a: Ports, b: Ports): Ports {
  const left: Span[] = []
  let j = 0
  for (const [first, last] of a) {
    let from = first
    while (j < b.length && b[j]![1] < from) j++
    for (let k = j; k < b.length && b[k]![0] <= last; k++) {
      if (b[k]![0] > from) left.push([from, b[k]![0] - 1])
      from = b[k]![1] + 1
    }
    if (from <= last) left.push([from, last])
  }
  return left
}

export const union = (a: Ports, b: Ports): Ports =>
  a.length === 0 ? b : b.length === 0 ? a : portsOf([...a, ...b])

export const samePorts = (a: Ports, b: Ports): boolean =>
  a.length === b.length && a.every(([first, last], at) => first === b[at]![0] && last === b[at]![1])

export const hasPort = (ports: Ports, port: number): boolean =>
  ports.some(([first, last]) => first <= port && port <= last)

function spanOf(text: string): Span {
  const [first = '', last = first] = text.split('-')
  return [Number(first), Number(last)]
}

/** Traffic selected by the protocols and ports of a rule: all of a protocol, a part, or none. */
export type Selection = Readonly<Partial<Record<Protocol, Ports>>>

/**
 * Traffic selected by the protocols and ports of a rule. A rule with ports excludes ICMP, which has
 * none.
 */
export function selectionOf({ protocols, ports }: RuleRow['filters']): Selection {
  const wanted = protocols?.length ? protocols : undefined
  const spans = ports?.length ? portsOf(ports.map(spanOf)) : undefined
  const chosen: Partial<Record<Protocol, Ports>> = {}
  for (const protocol of ['tcp', 'udp'] as const) {
    if (wanted && !wanted.some(({ type }) => type === protocol)) continue
    chosen[protocol] = spans ?? allPorts(protocol)
  }
  if (spans) return chosen
  for (const protocol of ['icmp', 'icmp6'] as const) {
    if (!wanted) {
      chosen[protocol] = allPorts(protocol)
      continue
    }
    const types = wanted.flatMap((filter): Span[] => {
      if (filter.type !== protocol) return []
      if (filter.value === null) return [...allPorts(protocol)]
      const { icmp_type: type, code } = filter.value
      const [first, last] = code ? spanOf(code) : [0, CODES - 1]
      return [[icmpPort(type, first), icmpPort(type, last)]]
    })
    if (types.length > 0) chosen[protocol] = portsOf(types)
  }
  return chosen
}
