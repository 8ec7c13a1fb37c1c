/** The traffic from outside that the rules of an interface let in, for all sources at once. */
import { formatAddress, type IpVersion } from '@steading/api/rules'
import { portsLetThrough } from './firewall.ts'
import type { Interface, Rule } from './model.ts'
import type { Range } from './ranges.ts'
import { allPorts, intersect, type Ports } from './selection.ts'

/** First and last of some consecutive addresses. */
export interface AddressSpan {
  first: string
  last: string
}

/** Consecutive ports that are open to the same sources. */
export interface Ingress {
  protocol: 'tcp' | 'udp'
  first: number
  last: number
  /** Sorted and not adjacent; null for any source. */
  sources: AddressSpan[] | null
}

const protocols = ['tcp', 'udp'] as const
const LAST = { v4: 2n ** 32n - 1n, v6: 2n ** 128n - 1n } as const

/** Sources with the same open ports. */
interface Sources {
  ranges: Range[]
  ports: Ports
}

/**
 * Splits all addresses where a rule begins or ends to match them, and joins those that the same
 * rules match.
 */
function* sourcesOf(
  rules: readonly Rule[],
  version: IpVersion,
  portsOf: (matching: readonly Rule[]) => Ports,
): Iterable<Sources> {
  /** Address → rules that match from there on, and rules that no longer do. */
  const changes = new Map<bigint, { begin: number[]; end: number[] }>()
  const at = (address: bigint) => {
    let change = changes.get(address)
    if (!change) changes.set(address, (change = { begin: [], end: [] }))
    return change
  }
  at(0n)
  for (const [index, { hosts }] of rules.entries()) {
    const ranges = hosts ? hosts.ranges[version] : [{ first: 0n, last: LAST[version] }]
    for (const { first, last } of ranges) {
      at(first).begin.push(index)
      if (last < LAST[version]) at(last + 1n).end.push(index)
    }
  }
  const matching = new Set<number>()
  const found = new Map<string, Sources>()
  const places = [...changes].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [place, [first, { begin, end }]] of places.entries()) {
    for (const index of end) matching.delete(index)
    for (const index of begin) matching.add(index)
    const last = (places[place + 1]?.[0] ?? LAST[version] + 1n) - 1n
    const order = [...matching].sort((a, b) => a - b)
    const key = order.join(' ')
    let sources = found.get(key)
    if (!sources) {
      sources = { ranges: [], ports: portsOf(order.map((index) => rules[index]!)) }
      found.set(key, sources)
    }
    sources.ranges.push({ version, first, last })
  }
  yield* found.values()
}

/** Ranges that do not overlap, sorted, and joined where they touch. */
function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = []
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const previous = result.at(-1)
    if (previous && previous.last + 1n === range.first) previous.last = range.last
    else result.push({ ...range })
  }
  return result
}

const toText = ({ version, first, last }: Range): AddressSpan => ({
  first: formatAddress({ version, value: first }),
  last: formatAddress({ version, value: last }),
})

/**
 * The TCP and UDP ports of an interface that traffic from outside of its VPC reaches by the rules,
 * each with the sources. Spans that touch are open to different sources.
 */
export function ingresses(at: Interface, version: IpVersion): Ingress[] {
  const result: Ingress[] = []
  for (const protocol of protocols) {
    const rules = at.inbound.filter(({ selection }) => selection[protocol])
    const all = [
      ...sourcesOf(rules, version, (matching) =>
        intersect(
          portsLetThrough(
            matching.map(({ row, selection }) => ({
              allows: row.action === 'allow',
              ports: selection[protocol]!,
            })),
            'inbound',
          ),
          allPorts(protocol),
        ),
      ),
    ]
    const cuts = new Set<number>()
    for (const { ports } of all) for (const [first, last] of ports) cuts.add(first).add(last + 1)
    const begins = [...cuts].sort((a, b) => a - b)
    let previous: { key: string; ingress: Ingress } | undefined
    for (const [place, first] of begins.entries()) {
      const last = (begins[place + 1] ?? first) - 1
      const open = all.filter(({ ports }) =>
        ports.some(([from, to]) => from <= first && first <= to),
      )
      const ranges = joined(open.flatMap((sources) => sources.ranges))
      if (ranges.length === 0) {
        previous = undefined
        continue
      }
      const isAny =
        ranges.length === 1 && ranges[0]!.first === 0n && ranges[0]!.last === LAST[version]
      const sources = isAny ? null : ranges.map(toText)
      const key = JSON.stringify(sources)
      if (previous?.key === key) {
        previous.ingress.last = last
        continue
      }
      const ingress: Ingress = { protocol, first, last, sources }
      result.push(ingress)
      previous = { key, ingress }
    }
  }
  return result
}
