/** Explains the path of a packet step by step. */
import {
  formatAddress,
  type Guest,
  networkReasons as reasons,
  type ReachabilityStepKind,
  type RouteOutcome,
  type RuleOutcome,
} from '@steading/api/rules'
import { decide, tried } from './firewall.ts'
import type { Interface } from './model.ts'
import { isSame } from './ranges.ts'
import { considered } from './routes.ts'
import type { ExternalIpRow, Named, RouteDestination, RouteTarget } from './rows.ts'
import type { Traffic } from './traffic.ts'
import type { Hop, Packet, Walk } from './walk.ts'

export interface TriedRule extends Named {
  priority: number
  action: 'allow' | 'deny'
  outcome: RuleOutcome
}

/** One end of a route as written; a `drop` target has no value. */
export interface RouteEnd {
  type: string
  value: string | null
}

export const routeEnd = (end: RouteDestination | RouteTarget): RouteEnd => ({
  type: end.type,
  value: 'value' in end ? end.value : null,
})

export interface TriedRoute extends Named {
  router: Named
  destination: RouteEnd
  target: RouteEnd
  outcome: RouteOutcome
}

export interface Translation {
  source: string
  destination: string
}

export interface Step {
  kind: ReachabilityStepKind
  passed: boolean
  reason: string
  /** The packet before this step. */
  source: string
  destination: string
  /** The packet after it, if an address has changed. */
  translation: Translation | null
  vpc: Named | null
  subnet: Named | null
  instance: Named | null
  interface: Named | null
  /** Direction of a firewall step. */
  direction: 'inbound' | 'outbound' | null
  /** The deciding rule. */
  rule: Named | null
  router: Named | null
  route: Named | null
  internet_gateway: Named | null
  /** Name of a floating IP. */
  external_ip: Pick<ExternalIpRow, 'id' | 'name' | 'ip' | 'kind'> | null
  external_subnet: Named | null
  /** Rules in order of evaluation, up to the deciding one. */
  rules: TriedRule[]
  /** Routes to the destination, and routes that are not in effect. */
  routes: TriedRoute[]
}

const named = ({ id, name }: Named): Named => ({ id, name })

export const step = (
  kind: ReachabilityStepKind,
  passed: boolean,
  reason: string,
  packet: Packet,
): Step => ({
  kind,
  passed,
  reason,
  source: formatAddress(packet.source),
  destination: formatAddress(packet.destination),
  translation: null,
  vpc: null,
  subnet: null,
  instance: null,
  interface: null,
  direction: null,
  rule: null,
  router: null,
  route: null,
  internet_gateway: null,
  external_ip: null,
  external_subnet: null,
  rules: [],
  routes: [],
})

export const placeOf = (
  at: Interface,
): Pick<Step, 'vpc' | 'subnet' | 'instance' | 'interface'> => ({
  vpc: named(at.vpc.row),
  subnet: named(at.subnet),
  instance: at.instance.row.probe ? null : named(at.instance.row),
  interface: named(at.row),
})

/** A guest as named in sentences. */
export const guestOf = (at: Interface): Guest => at.instance.row

function sourceStep(hop: Hop & { kind: 'source' }): Step {
  const { at, packet, claim, receives } = hop
  const address = formatAddress(receives ? packet.destination : packet.source)
  const reason = (() => {
    switch (claim?.type) {
      case undefined:
        return receives
          ? reasons.source.unwanted(address, at.row.name)
          : reasons.source.spoofed(address, at.row.name)
      case 'own':
        return reasons.source.own(address)
      case 'transit':
        return reasons.source.transit(address, claim.network.text)
      case 'external_subnet':
        return reasons.source.externalSubnet(address, claim.subnet.row.name)
    }
  })()
  return {
    ...step('source', claim !== undefined, reason, packet),
    ...placeOf(at),
    external_subnet: claim?.type === 'external_subnet' ? named(claim.subnet.row) : null,
  }
}

function firewallStep(hop: Hop & { kind: 'firewall' }, { protocol, port }: Traffic): Step {
  const { at, packet, direction, peer, established } = hop
  const common = { ...placeOf(at), direction }
  if (established) {
    return { ...step('firewall', true, reasons.firewall.established, packet), ...common }
  }
  const { action, rule } = decide(at, direction, peer, protocol, port)
  const reason = rule
    ? reasons.firewall.rule(action, direction, rule.row.name)
    : reasons.firewall.byDefault[direction]
  return {
    ...step('firewall', action === 'allow', reason, packet),
    ...common,
    rule: rule ? named(rule.row) : null,
    rules: tried(at, direction, peer, protocol, port).map(({ rule: { row }, outcome }) => ({
      ...named(row),
      priority: row.priority,
      action: row.action,
      outcome,
    })),
  }
}

function routeStep({ at, packet, route, problem }: Hop & { kind: 'route' }): Step {
  const address = formatAddress(packet.destination)
  const reason = (() => {
    if (problem === 'circle') return reasons.route.circle
    if (!route) return reasons.route.none(address)
    const { name } = route.row
    switch (route.next.type) {
      case 'drop':
        return reasons.route.drop(name)
      case 'subnet':
        return problem === 'nobody'
          ? reasons.route.nobody(name, route.next.subnet.name, address)
          : reasons.route.subnet(name, route.next.subnet.name)
      case 'interface': {
        const next = route.next.at
        const hopAddress = next.addresses[packet.destination.version]!
        return reasons.route.hop(name, guestOf(next), formatAddress(hopAddress))
      }
      case 'gateway':
        return reasons.route.gateway(name, route.next.gateway.row.name)
    }
  })()
  return {
    ...step('route', problem === undefined, reason, packet),
    ...placeOf(at),
    router: route ? named(route.router) : null,
    route: route ? named(route.row) : null,
    internet_gateway: route?.next.type === 'gateway' ? named(route.next.gateway.row) : null,
    routes: considered(at.routes, packet.destination).map(
      ({ route: { row, router }, outcome }) => ({
        ...named(row),
        router: named(router),
        destination: routeEnd(row.destination),
        target: routeEnd(row.target),
        outcome,
      }),
    ),
  }
}

const translation = (after: Packet | undefined, packet: Packet): Translation | null =>
  after && (!isSame(after.source, packet.source) || !isSame(after.destination, packet.destination))
    ? { source: formatAddress(after.source), destination: formatAddress(after.destination) }
    : null

const attachments = (
  by: (Hop & { kind: 'gateway' | 'outside' })['by'],
): Pick<Step, 'external_ip' | 'external_subnet'> => ({
  external_ip:
    by?.type === 'external_ip'
      ? (({ id, name, ip, kind }) => ({ id, name, ip, kind }))(by.external.row)
      : null,
  external_subnet: by?.type === 'external_subnet' ? named(by.subnet.row) : null,
})

function gatewayStep(hop: Hop & { kind: 'gateway' }): Step {
  const { at, packet, gateway, after, by, problem } = hop
  const { version } = packet.source
  const { gateway: texts } = reasons
  const reason = (() => {
    switch (problem) {
      case 'secondary':
        return texts.secondary(at.row.name)
      case 'noAddress':
        return texts.noAddress(guestOf(at), version)
      case 'foreignAddress':
        return texts.foreignAddress(guestOf(at), gateway.row.name, version)
      case 'empty':
        return texts.empty(gateway.row.name)
      case undefined:
    }
    if (by?.type === 'external_ip')
      return texts.translated(by.external.row.kind, by.external.row.ip)
    if (by?.type === 'external_subnet') return texts.externalSubnet(by.subnet.row.name)
    return texts.answers(formatAddress(after!.source))
  })()
  return {
    ...step('gateway', problem === undefined, reason, packet),
    ...placeOf(at),
    translation: translation(after, packet),
    internet_gateway: named(gateway.row),
    ...attachments(by),
  }
}

function outsideStep(hop: Hop & { kind: 'outside' }): Step {
  const { at, packet, after, by, problem } = hop
  const address = formatAddress(packet.destination)
  const { outside: texts } = reasons
  const reason = (() => {
    switch (problem) {
      case 'privateAddress':
        return texts.privateAddress(address)
      case 'unused':
        return texts.unused(address)
      case 'snat':
        return texts.snat(address)
      case 'noStack':
        return texts.noStack(guestOf(at!), packet.destination.version)
      case undefined:
    }
    switch (by!.type) {
      case 'internet':
        return texts.internet(address)
      case 'sender':
        return texts.sender(address)
      case 'answer':
        return texts.answer(address, formatAddress(after!.destination))
      case 'external_subnet':
        return texts.subnet(address, by!.subnet.row.name, guestOf(at!))
      case 'external_ip': {
        const { kind } = by!.external.row
        const mapped = formatAddress(after!.destination)
        return texts.mapped(address, kind === 'snat' ? 'ephemeral' : kind, guestOf(at!), mapped)
      }
    }
  })()
  return {
    ...step('outside', problem === undefined, reason, packet),
    ...(at ? placeOf(at) : {}),
    translation: translation(after, packet),
    ...attachments(by),
  }
}

function deliveryStep({ at, packet, how }: Hop & { kind: 'delivery' }): Step {
  const texts = reasons.delivery
  const reason = {
    arrived: () => texts.arrived(guestOf(at), at.row.name),
    forwards: () => texts.forwards(guestOf(at)),
    behind: () => texts.behind(formatAddress(packet.destination), guestOf(at)),
    itself: () => reasons.endpoint.itself(guestOf(at)),
  }[how]()
  return { ...step('delivery', true, reason, packet), ...placeOf(at) }
}

function stepOf(hop: Hop, traffic: Traffic): Step {
  switch (hop.kind) {
    case 'machine': {
      const { row } = hop.at.instance
      const reason = reasons.machine.down(row, row.run_state)
      return { ...step('machine', hop.online, reason, hop.packet), ...placeOf(hop.at) }
    }
    case 'source':
      return sourceStep(hop)
    case 'firewall':
      return firewallStep(hop, traffic)
    case 'route':
      return routeStep(hop)
    case 'gateway':
      return gatewayStep(hop)
    case 'outside':
      return outsideStep(hop)
    case 'delivery':
      return deliveryStep(hop)
  }
}

/**
 * The steps of a walk, up to the one where the packet is lost. A machine that is not running does
 * not end them: the path beyond it is still worth knowing.
 */
export function explain(
  { hops }: Walk,
  traffic: Traffic,
): { steps: Step[]; lost: Step | undefined } {
  const steps: Step[] = []
  let lost: Step | undefined
  for (const hop of hops) {
    const one = stepOf(hop, traffic)
    steps.push(one)
    if (one.passed) continue
    lost ??= one
    if (hop.kind !== 'machine') break
  }
  return { steps, lost }
}
