/** Rules affected by a change, and the traffic that it can open or close. */
import { type IpVersion, longestIncreasing } from '@steading/api/rules'
import type { Hosts, Rule } from './model.ts'
import {
  allPorts,
  hasPort,
  icmpPort,
  intersect,
  isIcmp,
  type Ports,
  portsOf,
  type Protocol,
  type Selection,
  union,
} from './selection.ts'
import { answerOf, echo, type Traffic } from './traffic.ts'

export const allProtocols = ['tcp', 'udp', 'icmp', 'icmp6'] as const satisfies Protocol[]

/** Assigns equal numbers to equal keys. */
export class Numbers {
  readonly #known = new Map<string, number>()
  of(key: string): number {
    let number = this.#known.get(key)
    if (number === undefined) this.#known.set(key, (number = this.#known.size))
    return number
  }
}

const rangesText = ({ inside, ranges }: Hosts): string =>
  `${inside} ${(['v4', 'v6'] satisfies IpVersion[])
    .map((version) => ranges[version].map(({ first, last }) => `${first}-${last}`).join())
    .join(' ')}`

/** The answer to the first packet of a connection. */
export const answerTo = (protocol: Protocol): Traffic => {
  const port = isIcmp(protocol) ? icmpPort(echo[protocol as 'icmp'].request, 0) : 0
  return answerOf({ protocol, port })!
}

/** Numbers rules by their effect, across networks. */
export class RuleContents {
  readonly #numbers = new Numbers()
  readonly #hosts = new Map<Hosts, number>()
  readonly #selections = new Map<Selection, number>()
  readonly #rules = new Map<Rule, number>()

  hosts(hosts: Hosts | null): number {
    if (!hosts) return -1
    let number = this.#hosts.get(hosts)
    if (number === undefined) {
      this.#hosts.set(hosts, (number = this.#numbers.of(`hosts ${rangesText(hosts)}`)))
    }
    return number
  }

  selection(selection: Selection): number {
    let number = this.#selections.get(selection)
    if (number === undefined) {
      number = this.#numbers.of(`selection ${JSON.stringify(selection)}`)
      this.#selections.set(selection, number)
    }
    return number
  }

  of(rule: Rule): number {
    let number = this.#rules.get(rule)
    if (number === undefined) {
      const { row, hosts, selection } = rule
      const text = `${row.action} ${this.hosts(hosts)} ${this.selection(selection)}`
      this.#rules.set(rule, (number = this.#numbers.of(text)))
    }
    return number
  }
}

/**
 * Rules that are in only one of two lists, or have moved among the others. For traffic that none of
 * them matches, both lists decide alike, because the matching rules are the same in the same order.
 */
export function changedRules(
  before: readonly Rule[],
  after: readonly Rule[],
  contents: RuleContents,
): Rule[] {
  const same = (a: Rule | undefined, b: Rule | undefined): boolean =>
    a !== undefined && b !== undefined && contents.of(a) === contents.of(b)
  let first = 0
  while (same(before[first], after[first])) first++
  let last = 0
  const shorter = Math.min(before.length, after.length) - first
  while (last < shorter && same(before.at(-1 - last), after.at(-1 - last))) last++
  return changedBetween(
    before.slice(first, before.length - last),
    after.slice(first, after.length - last),
    contents,
  )
}

/** The same for lists without a common start and end. */
function changedBetween(
  before: readonly Rule[],
  after: readonly Rule[],
  contents: RuleContents,
): Rule[] {
  const places = new Map<number, number[]>()
  for (const [at, rule] of before.entries()) {
    const content = contents.of(rule)
    const same = places.get(content)
    if (same) same.push(at)
    else places.set(content, [at])
  }
  const changed: Rule[] = []
  const kept: { rule: Rule; was: number }[] = []
  for (const rule of after) {
    const was = places.get(contents.of(rule))?.shift()
    if (was === undefined) changed.push(rule)
    else kept.push({ rule, was })
  }
  for (const left of places.values()) changed.push(...left.map((at) => before[at]!))
  const inOrder = longestIncreasing(kept.map(({ was }) => was))
  for (const [at, { rule }] of kept.entries()) if (!inOrder.has(at)) changed.push(rule)
  return changed
}

/** The traffic of each protocol that a comparison covers. */
export interface Matter {
  /** Ports that may be opened or closed. */
  ports: Readonly<Record<Protocol, Ports>>
  /** Ports of rules that can decide about this traffic, or about its answers. */
  decided: Readonly<Record<Protocol, Ports>>
}

/** The traffic that some rules match, or all of it. */
export function matterOf(rules: readonly Rule[] | 'all'): Matter {
  const ports: Record<Protocol, Ports> = { tcp: [], udp: [], icmp: [], icmp6: [] }
  const decided = { ...ports }
  for (const protocol of allProtocols) {
    ports[protocol] =
      rules === 'all'
        ? allPorts(protocol)
        : portsOf(rules.flatMap(({ selection }) => selection[protocol] ?? []))
    const { port } = answerTo(protocol)
    // A change for answers affects all ports.
    if (hasPort(ports[protocol], port)) ports[protocol] = allPorts(protocol)
    decided[protocol] = ports[protocol].length === 0 ? [] : union(ports[protocol], [[port, port]])
  }
  return { ports, decided }
}

/** The relevant part of a selection; undefined if there is none. */
export function partOf(selection: Selection, { decided }: Matter): Selection | undefined {
  let part: Partial<Record<Protocol, Ports>> | undefined
  for (const protocol of allProtocols) {
    const chosen = selection[protocol]
    if (!chosen) continue
    const common = intersect(chosen, decided[protocol])
    if (common.length > 0) (part ??= {})[protocol] = common
  }
  return part
}
