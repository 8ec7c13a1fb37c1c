import {
  type Address,
  formatAddress,
  type IpVersion,
  networkReasons as reasons,
  type ReachabilityStepKind,
  type RouteOutcome,
  type RuleOutcome,
} from '@steading/api/rules'
import { decide, tried } from './firewall.ts'
import { addressKey, type Instance, type Interface, type Network, type Vpc } from './model.ts'
import { addressOf, isIn, isOfTheInternet, isSame, networkOf, type Range } from './ranges.ts'
import { considered } from './routes.ts'
import type { ExternalIpRow, Named, RouteDestination, RouteTarget } from './rows.ts'
import { icmpPort, isIcmp, type Protocol } from './selection.ts'
import {
  claimOf,
  follow,
  type Hop,
  interfaceTowards,
  isAnswerTo,
  type Packet,
  type Start,
  stops,
  type Walk,
} from './walk.ts'

export type QuestionEnd =
  | {
      type: 'instance'
      /** Its id. */
      instance: string
      /** The id of one of its interfaces; by default the one that its guest would use. */
      interface?: string | null
    }
  | { type: 'address'; address: string }
  | { type: 'internet' }

export interface Question {
  from: QuestionEnd
  to: QuestionEnd
  /** With IPv6, `icmp` is ICMPv6. */
  protocol: 'tcp' | 'udp' | 'icmp'
  /** For TCP and UDP. */
  port?: number | null
  /** For ICMP; an echo request by default. */
  icmp_type?: number | null
  icmp_code?: number | null
  /** By default IPv4 if both ends have it. */
  ip_version?: IpVersion | null
  /** The VPC that private addresses are meant in, if neither end is an instance. */
  vpc?: string | null
}

export interface TriedRule extends Named {
  priority: number
  action: 'allow' | 'deny'
  outcome: RuleOutcome
}

/** An end of a route as it is written; a target that drops has no value. */
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
  /** The packet after it, where an address has changed. */
  translation: Translation | null
  vpc: Named | null
  subnet: Named | null
  instance: Named | null
  interface: Named | null
  /** Of a firewall. */
  direction: 'inbound' | 'outbound' | null
  /** The rule that decides. */
  rule: Named | null
  router: Named | null
  route: Named | null
  internet_gateway: Named | null
  /** A floating IP has a name. */
  external_ip: Pick<ExternalIpRow, 'id' | 'name' | 'ip' | 'kind'> | null
  external_subnet: Named | null
  /** Rules in the order in which they were tried, up to the one that decides. */
  rules: TriedRule[]
  /** The routes that lead to the destination, and those not in effect. */
  routes: TriedRoute[]
}

export interface Answer {
  /** Whether it arrives, and the answer to it as well. */
  reachable: boolean
  reason: string
  ip_version: IpVersion
  protocol: Protocol
  port: number | null
  icmp_type: number | null
  icmp_code: number | null
  /** The packet as it is sent. Null if there is no such address. */
  source: string | null
  destination: string | null
  there: Step[]
  /** Whether it arrives. */
  arrives: boolean
  /** Empty unless the packet arrives and is answered. */
  back: Step[]
}

/** The port that clients send from: the first dynamic one. */
export const CLIENT_PORT = 49_152

const echo = { icmp: { request: 8, reply: 0 }, icmp6: { request: 128, reply: 129 } } as const

/** What a packet carries, in the terms of rules. */
export interface Traffic {
  protocol: Protocol
  /** Or type and code. */
  port: number
}

/** What the answer to a packet carries; undefined if nothing answers it. */
export function answerOf({ protocol, port }: Traffic): Traffic | undefined {
  if (protocol === 'tcp' || protocol === 'udp') return { protocol, port: CLIENT_PORT }
  const { request, reply } = echo[protocol]
  return Math.floor(port / 256) === request ? { protocol, port: icmpPort(reply, 0) } : undefined
}

const named = ({ id, name }: Named): Named => ({ id, name })

const step = (
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

const placeOf = (at: Interface): Pick<Step, 'vpc' | 'subnet' | 'instance' | 'interface'> => ({
  vpc: named(at.vpc.row),
  subnet: named(at.subnet),
  instance: named(at.instance.row),
  interface: named(at.row),
})

const instanceName = (at: Interface): string => at.instance.row.name

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
        return reasons.route.hop(name, instanceName(next), formatAddress(hopAddress))
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
        return texts.noAddress(instanceName(at), version)
      case 'foreignAddress':
        return texts.foreignAddress(instanceName(at), gateway.row.name, version)
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
        return texts.noStack(instanceName(at!), packet.destination.version)
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
        return texts.subnet(address, by!.subnet.row.name, instanceName(at!))
      case 'external_ip': {
        const { kind } = by!.external.row
        const mapped = formatAddress(after!.destination)
        return texts.mapped(
          address,
          kind === 'snat' ? 'ephemeral' : kind,
          instanceName(at!),
          mapped,
        )
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
    arrived: () => texts.arrived(instanceName(at), at.row.name),
    forwards: () => texts.forwards(instanceName(at)),
    behind: () => texts.behind(formatAddress(packet.destination), instanceName(at)),
    itself: () => reasons.endpoint.itself(instanceName(at)),
  }[how]()
  return { ...step('delivery', true, reason, packet), ...placeOf(at) }
}

function stepOf(hop: Hop, traffic: Traffic): Step {
  switch (hop.kind) {
    case 'machine': {
      const { row } = hop.at.instance
      const reason = reasons.machine.down(row.name, row.run_state)
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

/** Whether a hop lets a packet pass. */
export function passes(hop: Hop, { protocol, port }: Traffic): boolean {
  if (hop.kind !== 'firewall') return !stops(hop)
  if (hop.established) return true
  return decide(hop.at, hop.direction, hop.peer, protocol, port).action === 'allow'
}

/**
 * The steps of a walk, up to the one where the packet is lost. An instance that does not run is no
 * reason to stop: what the network would do is still worth knowing.
 */
function explain({ hops }: Walk, traffic: Traffic): { steps: Step[]; lost: Step | undefined } {
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

/** Addresses that stand for the internet: the first one that nothing is said about is taken. */
const samples: Record<IpVersion, readonly Address[]> = {
  v4: ['1.1.1.1', '8.8.8.8', '23.0.0.1', '45.45.45.45', '91.91.91.91', '151.101.1.1'].map(
    addressOf,
  ),
  v6: ['2606:4700::1', '2001:4860::8', '2a00:1450::1', '2400::1', '2800::1', '2c00::1'].map(
    addressOf,
  ),
}

/** The networks that rules and routes of a VPC mention. */
function* mentioned({ rows }: Network): Generator<Range> {
  for (const { filters } of rows.firewall_rules) {
    for (const { type, value } of filters.hosts ?? []) {
      if (type === 'ip_net') yield networkOf(value)
    }
  }
  for (const { destination } of rows.routes) {
    if (destination.type === 'ip_net') yield networkOf(destination.value)
  }
}

/** An address of the internet of which rules and routes say as little as possible. */
function internetAddress(network: Network, version: IpVersion): Address {
  let best = samples[version][0]!
  let smallest = 0n
  const ranges = [...mentioned(network), ...network.poolRanges].filter(
    (range) => range.version === version,
  )
  for (const sample of samples[version]) {
    const around = ranges.filter((range) => isIn(range, sample))
    if (around.length === 0) return sample
    const size = around.map(({ first, last }) => last - first).reduce((a, b) => (a < b ? a : b))
    if (size > smallest) [best, smallest] = [sample, size]
  }
  return best
}

class NoEnd extends Error {}

/** The interface of an instance that another interface of its VPC reaches it by. */
function reachedBy(
  to: Instance,
  from: readonly Interface[],
  version: IpVersion,
): Interface | undefined {
  const able = to.interfaces.filter((at) => at.addresses[version])
  return able.find((at) => from.some(({ subnet }) => subnet.id === at.subnet.id)) ?? able[0]
}

/** The address by which an instance is reached from outside of its VPC. */
function externalAddress(to: Instance, version: IpVersion): Address | undefined {
  const external = to.externalIps.find(
    ({ row, address }) => row.kind !== 'snat' && address.version === version,
  )
  if (external) return external.address
  const subnet = to.externalSubnets.find(({ range }) => range.version === version)
  if (!subnet) return undefined
  const { first, last } = subnet.range
  return { version, value: first === last ? first : first + 1n }
}

interface Ends {
  /** Where the packet starts, and what is said about that. */
  start: Start
  begin: Step
}

class Resolver {
  readonly #network: Network
  readonly #question: Question
  readonly #version: IpVersion
  readonly #vpc: Vpc | undefined

  constructor(network: Network, question: Question, version: IpVersion) {
    this.#network = network
    this.#question = question
    this.#version = version
    const instance = [question.from, question.to].flatMap((end) =>
      end.type === 'instance' ? (network.instances.get(end.instance)?.interfaces ?? []) : [],
    )[0]
    this.#vpc = question.vpc ? network.vpcs.get(question.vpc) : instance?.vpc
  }

  #interfaces(end: QuestionEnd & { type: 'instance' }): Interface[] {
    const instance = this.#network.instances.get(end.instance)
    const all = instance?.interfaces ?? []
    if (!instance || all.length === 0) {
      throw new NoEnd(reasons.endpoint.noInterface(instance?.row.name ?? end.instance))
    }
    const chosen = end.interface ? all.filter(({ row }) => row.id === end.interface) : all
    if (!chosen.some(({ addresses }) => addresses[this.#version])) {
      throw new NoEnd(reasons.endpoint.noVersion(instance.row.name, this.#version))
    }
    return chosen
  }

  /** The interface that sends from an address, if one of the known ones does. */
  #senderOf(address: Address): Interface | undefined {
    const own = this.#vpc?.byAddress.get(addressKey(address))
    if (own) return own
    const behind = this.#vpc?.interfaces.find((at) => claimOf(at, address))
    if (behind) return behind
    const external = this.#network.externalIps
      .get(addressKey(address))
      ?.find(({ row }) => row.kind !== 'snat')
    const subnet = this.#network.externalSubnets.find(({ range }) => isIn(range, address))
    const id = external?.row.instance_id ?? subnet?.row.instance_id
    return this.#network.instances.get(id ?? '')?.interfaces.find(({ row }) => row.primary)
  }

  ends(): Ends {
    const { from, to } = this.#question
    const sender: Interface[] | undefined = (() => {
      if (from.type === 'instance') return this.#interfaces(from)
      if (from.type === 'internet') return undefined
      const at = this.#senderOf(addressOf(from.address))
      return at && [at]
    })()
    if (!sender) return this.#fromOutside()
    const destination = this.#destination(to, sender)
    const at = interfaceTowards(sender, destination)
    if (!at) {
      throw new NoEnd(reasons.endpoint.noVersion(sender[0]!.instance.row.name, this.#version))
    }
    const source = this.#sourceAt(at)
    const packet = { source, destination }
    const reason = reasons.endpoint.sends(instanceName(at), at.row.name, formatAddress(source))
    return {
      start: { at, packet },
      begin: { ...step('endpoint', true, reason, packet), ...placeOf(at) },
    }
  }

  #sourceAt(at: Interface): Address {
    const { from } = this.#question
    if (from.type === 'address') {
      const address = addressOf(from.address)
      // An external address is given to its packets by a gateway.
      if (claimOf(at, address)) return address
    }
    return at.addresses[this.#version]!
  }

  #fromOutside(): Ends {
    const { from, to } = this.#question
    const source =
      from.type === 'address'
        ? addressOf(from.address)
        : internetAddress(this.#network, this.#version)
    const text = formatAddress(source)
    if (this.#vpc && from.type === 'address' && this.#isOf(this.#vpc, source)) {
      throw new NoEnd(reasons.endpoint.nobody(text, this.#vpc.row.name))
    }
    if (!this.#canBeOutside(source)) throw new NoEnd(reasons.endpoint.privateSource(text))
    const packet = { source, destination: this.#destination(to, undefined) }
    const begin = step('endpoint', true, reasons.endpoint.sendsFromOutside(text), packet)
    return { start: { at: null, packet }, begin }
  }

  #isOf({ subnets }: Vpc, address: Address): boolean {
    return subnets.some(({ ranges }) => ranges.some((range) => isIn(range, address)))
  }

  #canBeOutside(address: Address): boolean {
    return (
      isOfTheInternet(address) ||
      this.#network.poolRanges.some((range) => isIn(range, address)) ||
      this.#network.externalIps.has(addressKey(address))
    )
  }

  #destination(to: QuestionEnd, sender: readonly Interface[] | undefined): Address {
    const version = this.#version
    if (to.type === 'internet') return internetAddress(this.#network, version)
    if (to.type === 'address') {
      const address = addressOf(to.address)
      // From outside, a private address stands for the instance that has it.
      const at = sender ? undefined : this.#vpc?.byAddress.get(addressKey(address))
      return at ? this.#fromOutsideTo(at.instance) : address
    }
    const interfaces = this.#interfaces(to)
    const { instance, vpc } = interfaces[0]!
    if (!sender || sender[0]!.vpc !== vpc) return this.#fromOutsideTo(instance)
    const at = end(to.interface, interfaces) ?? reachedBy(instance, sender, version)
    return at!.addresses[version]!
  }

  #fromOutsideTo(instance: Instance): Address {
    const address = externalAddress(instance, this.#version)
    if (address) return address
    throw new NoEnd(reasons.endpoint.noExternal(instance.row.name, this.#version))
  }
}

const end = (id: string | null | undefined, interfaces: readonly Interface[]) =>
  id ? interfaces.find(({ row }) => row.id === id) : undefined

/** The versions that an end of a question can have. */
function versionsOf(network: Network, one: QuestionEnd): readonly IpVersion[] {
  if (one.type === 'address') return [addressOf(one.address).version]
  if (one.type === 'internet') return ['v4', 'v6']
  const instance = network.instances.get(one.instance)
  const interfaces = (instance?.interfaces ?? []).filter(
    ({ row }) => !one.interface || row.id === one.interface,
  )
  return (['v4', 'v6'] as const).filter((version) =>
    interfaces.some(({ addresses }) => addresses[version]),
  )
}

/** What a question is about, in the terms of rules. */
export function trafficOf(question: Question, version: IpVersion): Traffic {
  if (question.protocol !== 'icmp') return { protocol: question.protocol, port: question.port ?? 0 }
  const protocol = version === 'v4' ? 'icmp' : 'icmp6'
  const type = question.icmp_type ?? echo[protocol].request
  return { protocol, port: icmpPort(type, question.icmp_code ?? 0) }
}

/** Follows one packet through the network, and the answer to it. */
export function ask(network: Network, question: Question): Answer {
  const common = versionsOf(network, question.from).filter((version) =>
    versionsOf(network, question.to).includes(version),
  )
  const version = question.ip_version ?? common[0] ?? versionsOf(network, question.from)[0] ?? 'v4'
  const traffic = trafficOf(question, version)
  const { protocol, port } = traffic
  const icmp = isIcmp(protocol)
  const about = {
    ip_version: version,
    protocol,
    port: icmp ? null : port,
    icmp_type: icmp ? Math.floor(port / 256) : null,
    icmp_code: icmp ? port % 256 : null,
  }
  const unreachable = (reason: string): Answer => ({
    reachable: false,
    reason,
    ...about,
    source: null,
    destination: null,
    there: [],
    arrives: false,
    back: [],
  })
  let ends: Ends
  try {
    ends = new Resolver(network, question, version).ends()
  } catch (error) {
    if (error instanceof NoEnd) return unreachable(error.message)
    throw error
  }
  const { start, begin } = ends
  if (start.packet.source.version !== start.packet.destination.version) {
    return unreachable(reasons.endpoint.noVersionInCommon)
  }
  const ways = follow(network, start)
  const there = explain(ways.there, traffic)
  const answer = {
    ...about,
    source: formatAddress(start.packet.source),
    destination: formatAddress(start.packet.destination),
    there: [begin, ...there.steps],
  }
  if (there.lost) {
    return { reachable: false, reason: there.lost.reason, ...answer, arrives: false, back: [] }
  }
  const arrived = answer.there.at(-1)!.reason
  const reply = answerOf(traffic)
  if (!reply || !ways.back) {
    return { reachable: true, reason: arrived, ...answer, arrives: true, back: [] }
  }
  const back = explain(ways.back, reply)
  const { end: last } = ways.back
  const misses = !back.lost && (!last || !isAnswerTo(start, last))
  if (last && !back.lost) {
    const text = misses
      ? reasons.delivery.otherSource(
          formatAddress(last.packet.source),
          formatAddress(start.packet.destination),
        )
      : reasons.delivery.back
    back.steps.push({
      ...step('delivery', !misses, text, last.packet),
      ...(last.at ? placeOf(last.at) : {}),
    })
  }
  const problem = back.lost?.reason ?? (misses ? back.steps.at(-1)!.reason : undefined)
  return {
    reachable: problem === undefined,
    reason: problem ?? arrived,
    ...answer,
    arrives: true,
    back: back.steps,
  }
}
