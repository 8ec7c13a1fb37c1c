/**
 * Which connections a change would open and close: all pairs of instances of a VPC, and of an
 * instance and the outside, before and after. Instances that nothing tells apart are compared once.
 */
import type { Address, IpVersion, NETWORK_CHANGE_LIMITS } from '@steading/api/rules'
import { externalAddress, internetAddress, reachedBy } from './ends.ts'
import type { Instance, Interface, Network, Rule, RouteTable, Vpc } from './model.ts'
import { openPorts } from './open-ports.ts'
import { isIn, isInSome, isOfTheInternet, networkOf, type Range } from './ranges.ts'
import type { Named } from './rows.ts'
import {
  icmpOfPort,
  isIcmp,
  type Ports,
  type Protocol,
  samePorts,
  type Span,
  without,
} from './selection.ts'
import { interfaceTowards, type Start } from './walk.ts'

/** The internet, or one of its networks that a rule names. */
export const INTERNET = 'internet'

export interface ChangeEnds {
  /** The first ones, by name. */
  instances: Named[]
  /** How many instances there are. */
  total: number
  /** Networks outside, like `203.0.113.0/24`, or `internet`. */
  outside: string[]
}

export interface ChangedTraffic {
  protocol: Protocol
  ip_versions: IpVersion[]
  /** Like `22` or `80-443`; types of ICMP with codes, like `8` or `3/0-4`. Empty: all. */
  ports: string[]
}

/** What changes in the same way from each of some ends to each of some others. */
export interface ConnectionChange {
  from: ChangeEnds
  to: ChangeEnds
  /** How many pairs these are. */
  pairs: number
  gained: ChangedTraffic[]
  lost: ChangedTraffic[]
}

export interface Changes {
  /** Those that lose something come first. */
  changes: ConnectionChange[]
  /** Changes that are left out of the list. */
  more_changes: number
  /** What was not compared. */
  left_out: { instances: number; networks: number; pairs: number }
}

export type ChangeLimits = Record<keyof typeof NETWORK_CHANGE_LIMITS, number>

const versions = ['v4', 'v6'] as const

type Party =
  | { type: 'instance'; id: string; name: string }
  | { type: 'outside'; name: string; address: Partial<Record<IpVersion, Address>> }

interface Group {
  members: Party[]
  changed: boolean
}

/** Numbers things that are equal with the same number. */
class Numbers {
  readonly #known = new Map<string, number>()
  of(key: string): number {
    const number = this.#known.get(key) ?? this.#known.size
    this.#known.set(key, number)
    return number
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))

/** What tells instances apart, of one network. */
class Describer {
  readonly #vpc: Vpc | undefined
  readonly #lists = new Map<readonly Rule[], number>()
  readonly #tables = new Map<RouteTable, number>()
  readonly #numbers: Numbers
  readonly #rules: Rule[]
  readonly #destinations: Range[]
  /** Interfaces that routes lead to: what they are changes the ways of others. */
  readonly nextHops = new Set<string>()

  /** @param numbers shared by the networks that are compared */
  constructor(vpc: Vpc | undefined, numbers: Numbers) {
    this.#vpc = vpc
    this.#numbers = numbers
    this.#rules = (vpc?.rules ?? []).filter(
      ({ row, hosts }) => row.status === 'enabled' && hosts !== null,
    )
    const destinations = new Map<string, Range>()
    for (const { routes } of new Set(vpc?.interfaces.map(({ routes }) => routes))) {
      for (const { destination, next } of routes) {
        destinations.set(textOf(destination), destination)
        if (next.type === 'interface') this.nextHops.add(next.at.instance.row.id)
      }
    }
    this.#destinations = [...destinations.values()]
  }

  /** A number for what a list of rules does. */
  #list(rules: readonly Rule[]): number {
    let number = this.#lists.get(rules)
    if (number === undefined) {
      const content = rules.map(({ row, hosts, selection }) => [row.action, hosts, selection])
      number = this.#numbers.of(textOf(content))
      this.#lists.set(rules, number)
    }
    return number
  }

  #table(table: RouteTable): number {
    let number = this.#tables.get(table)
    if (number === undefined) {
      const content = table.routes.map(({ destination, next }) => {
        switch (next.type) {
          case 'drop':
            return [destination, 'drop']
          case 'subnet':
            return [destination, next.subnet.id]
          case 'interface':
            return [destination, next.at.row]
          case 'gateway':
            return [destination, next.gateway.row]
        }
      })
      number = this.#numbers.of(textOf(content))
      this.#tables.set(table, number)
    }
    return number
  }

  /** What decides about an interface by itself. */
  #own(at: Interface) {
    const { subnet, row, inbound, outbound, routes } = at
    return [
      subnet.id,
      row.primary,
      row.transit_ips,
      this.#list(inbound),
      this.#list(outbound),
      this.#table(routes),
    ]
  }

  #external({ externalIps, externalSubnets }: Instance) {
    return [
      externalIps.map(({ row }) => [row.kind, row.ip_pool_id, row.ip.includes(':')]),
      externalSubnets.map(({ row }) => row.subnet),
    ]
  }

  /** Where an address is named, by rules and by routes. */
  #named(address: Address | undefined): string {
    if (!address) return '-'
    const rules = this.#rules.map(({ hosts }) => (isInSome(hosts!.ranges, address) ? 1 : 0))
    const routes = this.#destinations.map((range) => (isIn(range, address) ? 1 : 0))
    return `${rules.join('')} ${routes.join('')}`
  }

  /** Instances with the same text have the same connections. */
  kindOf(instance: Instance | undefined): string {
    if (!instance) return ''
    const { id } = instance.row
    return textOf([
      // One that a route leads to, or that addresses lead to, is like no other.
      this.nextHops.has(id) || instance.externalSubnets.length > 0 ? id : null,
      this.#attached(instance),
      this.#external(instance),
      instance.interfaces.map((at) => [
        this.#own(at),
        versions.map((version) => this.#numbers.of(this.#named(at.addresses[version]))),
      ]),
    ])
  }

  /** Which gateways have addresses of an instance attached by themselves. */
  #attached({ externalIps }: Instance): string[] {
    const attached = new Set(this.#vpc?.gateways.flatMap(({ row }) => row.addresses))
    return externalIps.flatMap(({ row }) => (attached.has(row.ip) ? [row.ip] : []))
  }

  /** What has to stay the same, so that connections between instances stay the same. */
  contentOf(instance: Instance | undefined): string {
    if (!instance) return ''
    return textOf([
      this.#attached(instance),
      this.#external(instance),
      instance.interfaces.map((at) => [this.#own(at), at.row.ipv4, at.row.ipv6]),
    ])
  }
}

/** Networks outside that rules name, each with an address that no narrower one has. */
function* outsideNetworks(networks: readonly Network[], vpcId: string): Generator<Party> {
  const named = new Map<string, Range>()
  for (const { rows } of networks) {
    for (const { vpc_id, filters } of rows.firewall_rules) {
      if (vpc_id !== vpcId) continue
      for (const { type, value } of filters.hosts ?? []) {
        if (type === 'ip_net' && !value.endsWith('/0')) named.set(value, networkOf(value))
        if (type === 'ip') named.set(value, networkOf(`${value}/${value.includes(':') ? 128 : 32}`))
      }
    }
  }
  const ranges = [...named]
  for (const [name, range] of ranges) {
    const { version, first, last } = range
    const narrower = ranges.filter(
      ([, one]) => one.version === version && one.last - one.first < last - first,
    )
    const candidates = [first + 1n, last - 1n, (first + last) / 2n, first, last]
    const value = candidates.find(
      (one) =>
        first <= one &&
        one <= last &&
        !narrower.some(([, other]) => isIn(other, { version, value: one })),
    )
    if (value === undefined) continue
    const address = { version, value }
    if (isOfTheInternet(address)) yield { type: 'outside', name, address: { [version]: address } }
  }
}

/** How a packet from one end to another begins; undefined if there is none. */
function startOf(network: Network, from: Party, to: Party, version: IpVersion): Start | undefined {
  const sender = from.type === 'instance' ? network.instances.get(from.id) : undefined
  const receiver = to.type === 'instance' ? network.instances.get(to.id) : undefined
  if (from.type === 'instance' && !sender?.interfaces.length) return undefined
  if (to.type === 'instance' && !receiver?.interfaces.length) return undefined
  const destination =
    to.type === 'outside'
      ? to.address[version]
      : sender
        ? reachedBy(receiver!, sender.interfaces, version)?.addresses[version]
        : externalAddress(receiver!, version)
  if (!destination) return undefined
  if (from.type === 'outside') {
    const source = from.address[version]
    return source && { at: null, packet: { source, destination } }
  }
  const at = interfaceTowards(sender!.interfaces, destination)
  return at && { at, packet: { source: at.addresses[version]!, destination } }
}

interface Difference {
  gained: ChangedTraffic[]
  lost: ChangedTraffic[]
}

/** ICMP types with their codes: `8`, `0-255` or `3/0-4`. */
function icmpTexts([first, last]: Span): string[] {
  const texts: string[] = []
  for (let from = first; from <= last;) {
    const { type, code } = icmpOfPort(from)
    const end = icmpOfPort(last)
    const whole = code === 0 && (end.type > type || end.code === 255)
    if (whole) {
      const lastType = end.code === 255 ? end.type : end.type - 1
      texts.push(lastType === type ? `${type}` : `${type}-${lastType}`)
      from = (lastType + 1) * 256
    } else {
      const lastCode = end.type > type ? 255 : end.code
      texts.push(lastCode === code ? `${type}/${code}` : `${type}/${code}-${lastCode}`)
      from = type * 256 + lastCode + 1
    }
  }
  return texts
}

const portTexts = (protocol: Protocol, ports: Ports): string[] => {
  const [span] = ports
  if (ports.length === 1 && span![1] === 65_535 && span![0] <= 1) return []
  return isIcmp(protocol)
    ? ports.flatMap(icmpTexts)
    : ports.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
}

type Open = Partial<Record<Protocol, Ports>>

function differenceOf(before: Record<IpVersion, Open>, after: Record<IpVersion, Open>): Difference {
  const side = (from: Record<IpVersion, Open>, to: Record<IpVersion, Open>): ChangedTraffic[] => {
    const found: (ChangedTraffic & { spans: Ports })[] = []
    for (const version of versions) {
      for (const protocol of ['tcp', 'udp', 'icmp', 'icmp6'] as const) {
        const spans = without(to[version][protocol] ?? [], from[version][protocol] ?? [])
        if (spans.length === 0) continue
        const same = found.find((one) => one.protocol === protocol && samePorts(one.spans, spans))
        if (same) same.ip_versions.push(version)
        else {
          const ports = portTexts(protocol, spans)
          found.push({ protocol, ip_versions: [version], ports, spans })
        }
      }
    }
    return found.map(({ protocol, ip_versions, ports }) => ({ protocol, ip_versions, ports }))
  }
  return { gained: side(before, after), lost: side(after, before) }
}

/** The pairs of two groups; nothing connects to itself. */
const pairsOf = (from: Group, to: Group): number =>
  from.members.length * (from === to ? from.members.length - 1 : to.members.length)

function endsOf(groups: Iterable<Group>, names: number): ChangeEnds {
  const members = [...groups].flatMap((group) => group.members)
  const instances = members
    .flatMap((one) => (one.type === 'instance' ? [{ id: one.id, name: one.name }] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const outside = members.flatMap((one) => (one.type === 'outside' ? [one.name] : []))
  return { instances: instances.slice(0, names), total: instances.length, outside }
}

/**
 * Compares two states of a VPC. Instances of other VPCs count as outside.
 * Gives the caller a turn after some work, by yielding.
 */
export function* compareNetworks(
  before: Network,
  after: Network,
  vpcId: string,
  limits: ChangeLimits,
): Generator<void, Changes> {
  const numbers = new Numbers()
  const [was, is] = [before, after].map(
    (network) => new Describer(network.vpcs.get(vpcId), numbers),
  ) as [Describer, Describer]

  const all = new Map<string, Instance>()
  for (const network of [before, after]) {
    for (const at of network.vpcs.get(vpcId)?.interfaces ?? []) {
      all.set(at.instance.row.id, at.instance)
    }
  }
  const instances = [...all.values()].sort((a, b) => (a.row.name < b.row.name ? -1 : 1))
  const groups = new Map<string, Group>()
  let throughOthers = false
  for (const [index, { row }] of instances.entries()) {
    const old = before.instances.get(row.id)
    const now = after.instances.get(row.id)
    const changed = was.contentOf(old) !== is.contentOf(now)
    if (changed && (was.nextHops.has(row.id) || is.nextHops.has(row.id))) throughOthers = true
    if (index >= limits.instances) continue
    const key = `${changed} ${was.kindOf(old)} ${is.kindOf(now)}`
    const group = groups.get(key) ?? { members: [], changed }
    group.members.push({ type: 'instance', id: row.id, name: row.name })
    groups.set(key, group)
    if (index % 50 === 49) yield
  }
  const inside = [...groups.values()]
  const networks = [...outsideNetworks([before, after], vpcId)]
  const internet: Party = {
    type: 'outside',
    name: INTERNET,
    address: {
      v4: internetAddress([before, after], 'v4'),
      v6: internetAddress([before, after], 'v6'),
    },
  }
  const outside = [internet, ...networks.slice(0, limits.networks)].map((party): Group => ({
    members: [party],
    changed: false,
  }))

  /** By what changes: the groups from which it changes, for each group to which. */
  const found = new Map<string, { difference: Difference; byTo: Map<Group, Group[]> }>()
  let compared = 0
  let pairsLeftOut = 0
  for (const to of [...inside, ...outside]) {
    for (const from of [...inside, ...outside]) {
      if (from.members[0]!.type === 'outside' && to.members[0]!.type === 'outside') continue
      const pairs = pairsOf(from, to)
      if (pairs === 0 || !(from.changed || to.changed || throughOthers)) continue
      if (compared === limits.pairs) {
        pairsLeftOut += pairs
        continue
      }
      if (++compared % 100 === 0) yield
      const sender = from.members[0]!
      const receiver = (from === to ? to.members[1] : to.members[0])!
      const open = (network: Network): Record<IpVersion, Open> => {
        const of = (version: IpVersion): Open => {
          const start = startOf(network, sender, receiver, version)
          return start ? openPorts(network, start, version) : {}
        }
        return { v4: of('v4'), v6: of('v6') }
      }
      const difference = differenceOf(open(before), open(after))
      if (difference.gained.length === 0 && difference.lost.length === 0) continue
      const key = JSON.stringify(difference)
      const same = found.get(key) ?? { difference, byTo: new Map<Group, Group[]>() }
      found.set(key, same)
      same.byTo.set(to, [...(same.byTo.get(to) ?? []), from])
    }
  }

  const changes: ConnectionChange[] = []
  const groupNumbers = new Map([...inside, ...outside].map((group, index) => [group, index]))
  for (const { difference, byTo } of found.values()) {
    const byFrom = new Map<string, { from: Group[]; to: Group[] }>()
    for (const [to, from] of byTo) {
      const key = from.map((group) => groupNumbers.get(group)).join(' ')
      const same = byFrom.get(key) ?? { from, to: [] }
      same.to.push(to)
      byFrom.set(key, same)
    }
    for (const { from, to } of byFrom.values()) {
      changes.push({
        from: endsOf(from, limits.names),
        to: endsOf(to, limits.names),
        pairs: to
          .flatMap((one) => from.map((other) => pairsOf(other, one)))
          .reduce((a, b) => a + b),
        ...difference,
      })
    }
  }
  const rank = ({ lost }: ConnectionChange) => (lost.length > 0 ? 0 : 1)
  changes.sort((a, b) => rank(a) - rank(b) || b.pairs - a.pairs)
  return {
    changes: changes.slice(0, limits.changes),
    more_changes: Math.max(0, changes.length - limits.changes),
    left_out: {
      instances: Math.max(0, instances.length - limits.instances),
      networks: Math.max(0, networks.length - limits.networks),
      pairs: pairsLeftOut,
    },
  }
}
