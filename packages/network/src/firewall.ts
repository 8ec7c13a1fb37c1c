/** What the rules of an interface decide. */
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

/** All ports that the rules of an interface let through. */
export function allowedPorts(
  at: Interface,
  direction: RuleDirection,
  peer: Peer,
  protocol: Protocol,
): Ports {
  let open = allPorts(protocol)
  const allowed: Span[] = []
  for (const rule of at[direction]) {
    const chosen = rule.selection[protocol]
    if (!chosen || !matchesHost(rule, peer)) continue
    if (rule.row.action === 'allow') allowed.push(...intersect(open, chosen))
    open = without(open, chosen)
    if (open.length === 0) break
  }
  return portsOf(byDefault[direction] === 'allow' ? [...allowed, ...open] : allowed)
}

/** The rules of one direction up to the one that decides, each with what became of it. */
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
 * Of the rules of an interface, those that never decide: earlier ones that are for all hosts choose
 * everything that they choose.
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
