/** Open ports between two instances, or an instance and the outside, for many pairs. */
import type { Address, IpVersion } from '@steading/api/rules'
import { answerTo, type Matter } from './changed-rules.ts'
import type { InstanceKinds } from './instance-kinds.ts'
import type { Instance, Interface, Network } from './model.ts'
import { type Party, startOf } from './parties.ts'
import { type Choice, portsLetThrough } from './firewall.ts'
import { isSame } from './ranges.ts'
import type { RuleDirection } from './rows.ts'
import {
  hasPort,
  icmpPort,
  intersect,
  isIcmp,
  type Ports,
  type Protocol,
  protocolsOf,
  without,
} from './selection.ts'
import { echo } from './traffic.ts'
import type { Open } from './traffic-changes.ts'
import { follow, type Hop, isAnswerTo, stops, type Walk } from './walk.ts'

/** One side of a pair, with the number of its paths. */
export interface Side {
  party: Party
  instance: Instance | undefined
  way: number
}

/** Finds the corresponding object in another pair with the same path. */
type Find<T> = (from: Side, to: Side) => T

/** Rules of one direction of an interface on a packet's path. */
interface Check {
  at: Find<Interface>
  direction: RuleDirection
  peer: Find<Address>
  inside: boolean
}

/** The common path of all pairs whose sides have the same two numbers. */
interface Way {
  number: number
  /** Undefined if no packet arrives, whatever the rules. */
  there: Check[] | undefined
  /** Undefined if no answer arrives, whatever the rules. */
  back: Check[] | undefined
}

const lost = { there: undefined, back: undefined }

/** Whether the path itself is open, assuming running machines. */
const isOpen = ({ hops }: Walk): boolean =>
  hops.every((hop) => hop.kind === 'machine' || !stops(hop))

/** Position of an object in the corresponding list of one of the two sides. */
function find<T>(
  from: Side,
  to: Side,
  thing: T,
  listOf: (instance: Instance) => readonly T[],
  isThis: (a: T, b: T) => boolean,
): Find<T> | undefined {
  for (const side of ['from', 'to'] as const) {
    const { instance } = side === 'from' ? from : to
    const index = instance ? listOf(instance).findIndex((one) => isThis(one, thing)) : -1
    if (index !== -1) {
      return (one, other) => listOf((side === 'from' ? one : other).instance!)[index]!
    }
  }
  return undefined
}

const interfacesOf = ({ interfaces }: Instance) => interfaces
const addressesOf = {
  v4: (instance: Instance) => addressesFor(instance, 'v4'),
  v6: (instance: Instance) => addressesFor(instance, 'v6'),
}
const noAddress: Address = { version: 'v4', value: -1n }
/** Instances with the same paths have as many of them, in the same order. */
function addressesFor({ interfaces, externalIps }: Instance, version: IpVersion): Address[] {
  return [
    ...interfaces.map(({ addresses }) => addresses[version] ?? noAddress),
    ...externalIps.map(({ address }) => address),
  ]
}

/** Interned sets of open ports: equal sets have the same number, across networks. */
export class OpenSets {
  readonly #known = new Map<string, number>()
  readonly #sets: Open[] = []

  of(open: Open): number {
    const text = JSON.stringify(open)
    let number = this.#known.get(text)
    if (number === undefined) {
      this.#known.set(text, (number = this.#sets.length))
      this.#sets.push(open)
    }
    return number
  }

  at(number: number): Open {
    return this.#sets[number]!
  }
}

/** Exceeds every number of one sort, so that two can be combined into one. */
const MANY = 2 ** 25

export class PairPorts {
  readonly #network: Network
  readonly #kinds: InstanceKinds
  readonly #matter: Matter
  readonly #sets: OpenSets
  readonly #ways = new Map<number, Way>()
  /** Rules of an interface and a kind of peer → number of the allowed ports. */
  readonly #allowed = new Map<object, Map<number, number>>()
  /** State after some checks of a path, and the next check → next state. */
  readonly #steps = new Map<number, number>()
  readonly #results = new Map<number, number>()
  #states = 0

  constructor(network: Network, kinds: InstanceKinds, matter: Matter, sets: OpenSets) {
    this.#network = network
    this.#kinds = kinds
    this.#matter = matter
    this.#sets = sets
  }

  /** Number of a pair's open ports. */
  between(from: Side, to: Side, version: IpVersion): number {
    const way = this.#wayOf(from, to, version)
    const { there = [], back = [] } = way
    let state = way.number
    for (const check of there) state = this.#after(state, this.#check(check, from, to, version))
    for (const check of back) state = this.#after(state, this.#check(check, from, to, version))
    let number = this.#results.get(state)
    if (number === undefined) {
      const opens = (checks: Check[]) =>
        checks.map((check) => this.#sets.at(this.#check(check, from, to, version)))
      number = this.#sets.of(
        way.there ? this.#open(opens(way.there), way.back && opens(way.back), version) : {},
      )
      this.#results.set(state, number)
    }
    return number
  }

  #after(state: number, check: number): number {
    const key = state * MANY + check
    let after = this.#steps.get(key)
    if (after === undefined) this.#steps.set(key, (after = this.#states++))
    return after
  }

  #wayOf(from: Side, to: Side, version: IpVersion): Way {
    const key = (from.way * MANY + to.way) * 2 + (version === 'v4' ? 0 : 1)
    let way = this.#ways.get(key)
    if (!way) {
      way = { number: this.#states++, ...this.#followed(from, to, version) }
      this.#ways.set(key, way)
    }
    return way
  }

  #followed(from: Side, to: Side, version: IpVersion): Omit<Way, 'number'> {
    const start = startOf(this.#network, from.party, to.party, version)
    if (!start) return lost
    const { there, back } = follow(this.#network, start)
    if (!isOpen(there)) return lost
    const checksOf = (hops: readonly Hop[]): Check[] =>
      hops.flatMap((hop) => {
        if (hop.kind !== 'firewall' || hop.established) return []
        const { at, direction, peer } = hop
        const role = find(from, to, peer.address, addressesOf[version], isSame)
        return [
          {
            at: find(from, to, at, interfacesOf, (a, b) => a === b) ?? (() => at),
            direction,
            peer: role ?? (() => peer.address),
            inside: peer.inside,
          },
        ]
      })
    const returns = back?.end && isOpen(back) && isAnswerTo(start, back.end)
    return { there: checksOf(there.hops), back: returns ? checksOf(back.hops) : undefined }
  }

  /** Number of the ports allowed by the rules of a check. */
  #check({ at, direction, peer, inside }: Check, from: Side, to: Side, version: IpVersion): number {
    const list = at(from, to)[direction]
    const cls = this.#kinds.classOf(peer(from, to))
    const key = ((cls * 2 + (inside ? 1 : 0)) * 2 + (version === 'v4' ? 0 : 1)) * 2
    const direct = key + (direction === 'inbound' ? 0 : 1)
    let known = this.#allowed.get(list)
    if (!known) this.#allowed.set(list, (known = new Map()))
    let number = known.get(direct)
    if (number === undefined) {
      number = this.#sets.of(this.#allows(list, direction, cls, inside, version))
      known.set(direct, number)
    }
    return number
  }

  #allows(
    list: Interface[RuleDirection],
    direction: RuleDirection,
    cls: number,
    inside: boolean,
    version: IpVersion,
  ): Open {
    const among = this.#kinds.isAmong[cls]!
    const matching = this.#kinds
      .list(list)
      .rules.filter(
        (rule) => rule.hosts === -1 || (inside && rule.inside) || among[rule.hosts] === 1,
      )
    const result: Open = {}
    for (const protocol of protocolsOf(version)) {
      const decided = this.#matter.decided[protocol]
      if (decided.length === 0) continue
      const choices: Choice[] = []
      for (const { allows, selection } of matching) {
        const ports = selection[protocol]
        if (ports) choices.push({ allows, ports })
      }
      const ports = intersect(portsLetThrough(choices, direction), decided)
      if (ports.length > 0) result[protocol] = ports
    }
    return result
  }

  /** Ports that all rules on the path allow, among answered traffic. */
  #open(there: Open[], back: Open[] | undefined, version: IpVersion): Open {
    const result: Open = {}
    for (const protocol of protocolsOf(version)) {
      let ports: Ports = this.#matter.ports[protocol]
      for (const open of there) ports = intersect(ports, open[protocol] ?? [])
      if (ports.length > 0 && !this.#isAnswered(back, protocol)) {
        if (!isIcmp(protocol)) continue
        // Only ICMP echo requests are answered.
        const { request } = echo[protocol as 'icmp']
        ports = without(ports, [[icmpPort(request, 0), icmpPort(request, 255)]])
      }
      if (ports.length > 0) result[protocol] = ports
    }
    return result
  }

  #isAnswered(back: Open[] | undefined, protocol: Protocol): boolean {
    if (!back) return false
    const answer = answerTo(protocol)
    return back.every((open) => hasPort(open[answer.protocol] ?? [], answer.port))
  }
}
