/** Which ports are open between two instances, or an instance and the outside, for many pairs. */
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

/** One side of a pair, with the number of its ways. */
export interface Side {
  party: Party
  instance: Instance | undefined
  way: number
}

/** Finds a thing again in another pair whose packets go the same way. */
type Find<T> = (from: Side, to: Side) => T

/** The rules of one direction of an interface that a packet has to pass. */
interface Check {
  at: Find<Interface>
  direction: RuleDirection
  peer: Find<Address>
  inside: boolean
}

/** The way of all pairs whose sides have the same two numbers. */
interface Way {
  number: number
  /** Undefined if no packet arrives, whatever the rules say. */
  there: Check[] | undefined
  /** Undefined if no answer arrives, whatever the rules say. */
  back: Check[] | undefined
}

const lost = { there: undefined, back: undefined }

/** Whether the way itself is open; machines are taken to run. */
const isOpen = ({ hops }: Walk): boolean =>
  hops.every((hop) => hop.kind === 'machine' || !stops(hop))

/** Where a thing of one of the two sides is, in the list that each instance has of them. */
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
/** Instances with the same ways have as many of them, in the same order. */
function addressesFor({ interfaces, externalIps }: Instance, version: IpVersion): Address[] {
  return [
    ...interfaces.map(({ addresses }) => addresses[version] ?? noAddress),
    ...externalIps.map(({ address }) => address),
  ]
}

/** Sets of open ports: equal ones have the same number, also in different networks. */
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

/** More than there are numbers of one sort, so that two of them make one. */
const MANY = 2 ** 25

export class PairPorts {
  readonly #network: Network
  readonly #kinds: InstanceKinds
  readonly #matter: Matter
  readonly #sets: OpenSets
  readonly #ways = new Map<number, Way>()
  /** The rules of an interface and a kind of peer → the number of what they let through. */
  readonly #allowed = new Map<object, Map<number, number>>()
  /** What is known after some checks of a way, and the next one → what is known then. */
  readonly #steps = new Map<number, number>()
  readonly #results = new Map<number, number>()
  #states = 0

  constructor(network: Network, kinds: InstanceKinds, matter: Matter, sets: OpenSets) {
    this.#network = network
    this.#kinds = kinds
    this.#matter = matter
    this.#sets = sets
  }

  /** The number of the open ports of a pair. */
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

  /** The number of what the rules of a check let through. */
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

  /** What all rules on the way there let through, of what is answered. */
  #open(there: Open[], back: Open[] | undefined, version: IpVersion): Open {
    const result: Open = {}
    for (const protocol of protocolsOf(version)) {
      let ports: Ports = this.#matter.ports[protocol]
      for (const open of there) ports = intersect(ports, open[protocol] ?? [])
      if (ports.length > 0 && !this.#isAnswered(back, protocol)) {
        if (!isIcmp(protocol)) continue
        // Of ICMP, only echo requests are answered.
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
