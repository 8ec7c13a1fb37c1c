/** Evaluates the firewall rules of an interface. */
import type { Address, RuleOutcome } from '@steading/api/rules'
import type { Interface, Rule } from './model.ts'
import { isInSome } from './ranges.ts'
import type { RuleDirection } from './rows.ts'
import {
  allPorts,
  hasPort,
  intersect,
  type Ports,
  type Protocol,
  union,
  without,
  portsOf,
  type Span,
} from './selection.ts'

/** The other end of the traffic at an interface. */
export interface Peer {
  address: Address
  /** The traffic stays inside the VPC. */
  inside: boolean
}

/** One past the last port. */
const END = 65_536

const byDefault = { inbound: 'deny', outbound: 'allow' } as const

const matchesHost = ({ hosts }: Rule, { address, inside }: Peer): boolean =>
  hosts === null || (inside && hosts.inside) || isInSome(hosts.ranges, address)

export interface Decision {
  action: 'allow' | 'deny'
  /** Undefined if no rule matches. */
  rule: Rule | undefined
}

/** The first rule that matches decides. */
export function decide(
  at: Interface,
  direction: RuleDirection,
  peer: Peer,
  protocol: Protocol,
  port: number,
): Decision {
  const rule = at[direction].find(
    (one) => hasPort(one.selection[protocol] ?? [], port) && matchesHost(one, peer),
  )
  return { action: rule?.row.action ?? byDefault[direction], rule }
}

/** Ports selected by a rule that matches the other end. */
export interface Choice {
  allows: boolean
  ports: Ports
}

/**
 * Ports allowed by some rules, where the first matching rule decides for each port. The port range
 * is split at the boundaries of the rules, and each piece is assigned to the first rule that covers
 * it.
 */
export function portsLetThrough(choices: readonly Choice[], direction: RuleDirection): Ports {
  const cuts = new Set([0, END])
  for (const { ports } of choices) {
    for (const [first, last] of ports) cuts.add(first).add(last + 1)
  }
  const begins = Uint32Array.from(cuts).sort()
  const placeOf = new Map<number, number>()
  for (let place = 0; place < begins.length; place++) placeOf.set(begins[place]!, place)
  /** For each piece, a link to the next unassigned piece. */
  const next = Uint32Array.from(begins.keys())
  const free = (place: number): number => {
    let found = place
    while (next[found] !== found) found = next[found] = next[next[found]!]!
    return found
  }
  const open = new Uint8Array(begins.length).fill(byDefault[direction] === 'allow' ? 1 : 0)
  for (const { allows, ports } of choices) {
    for (const [first, last] of ports) {
      const end = placeOf.get(last + 1)!
      for (let at = free(placeOf.get(first)!); at < end; at = free(at)) {
        open[at] = allows ? 1 : 0
        next[at] = at + 1
      }
    }
  }
  const spans: Span[] = []
  for (let place = 0; place < begins.length - 1; place++) {
    if (open[place]) spans.push([begins[place]!, begins[place + 1]! - 1])
  }
  return portsOf(spans)
}

/** All ports allowed by the rules of an interface. */
export function allowedPorts(
  at: Interface,
  direction: RuleDirection,
  peer: Peer,
  protocol: Protocol,
): Ports {
  const choices = at[direction].flatMap((rule) => {
    const ports = rule.selection[protocol]
    return ports && matchesHost(rule, peer) ? [{ allows: rule.row.action === 'allow', ports }] : []
  })
  return intersect(portsLetThrough(choices, direction), allPorts(protocol))
}

/** Rules of one direction up to the deciding one, each with its outcome. */
export function tried(
  at: Interface,
  direction: RuleDirection,
  peer: Peer,
  protocol: Protocol,
  port: number,
): { rule: Rule; outcome: RuleOutcome }[] {
  const list: { rule: Rule; outcome: RuleOutcome }[] = []
  for (const rule of at.vpc.rules) {
    if (rule.row.direction !== direction) continue
    const outcome = outcomeOf(rule, at, peer, protocol, port)
    list.push({ rule, outcome })
    if (outcome === 'decides') break
  }
  return list
}

function outcomeOf(
  rule: Rule,
  at: Interface,
  peer: Peer,
  protocol: Protocol,
  port: number,
): RuleOutcome {
  if (rule.row.status === 'disabled') return 'disabled'
  if (!rule.targets.has(at.row.id)) return 'target'
  if (!matchesHost(rule, peer)) return 'hosts'
  const ports = rule.selection[protocol]
  if (!ports) return 'protocol'
  return hasPort(ports, port) ? 'decides' : 'ports'
}

/**
 * Rules of an interface that never decide, because earlier rules for all hosts cover their whole
 * selection.
 */
export function overruled(rules: readonly Rule[]): ReadonlySet<Rule> {
  const taken: Record<Protocol, Ports> = { tcp: [], udp: [], icmp: [], icmp6: [] }
  const never = new Set<Rule>()
  for (const rule of rules) {
    const chosen = Object.entries(rule.selection) as [Protocol, Ports][]
    if (chosen.every(([protocol, ports]) => without(ports, taken[protocol]).length === 0)) {
      never.add(rule)
    }
    if (rule.hosts !== null) continue
    for (const [protocol, ports] of chosen) taken[protocol] = union(taken[protocol], ports)
  }
  return never
}
