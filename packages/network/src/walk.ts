/**
 * The path of a packet and its answer. It does not depend on protocol and port, so rules are not
 * evaluated here: a walk records the interfaces whose rules apply.
 */
import { type Address, instanceIsOnline, NETWORK_HOPS_MAX } from '@steading/api/rules'
import type { Peer } from './firewall.ts'
import {
  addressKey,
  type ExternalIp,
  type ExternalSubnet,
  type Extra,
  type Gateway,
  type Interface,
  type Network,
  type Route,
  type Vpc,
} from './model.ts'
import { isIn, isOfTheInternet, isSame } from './ranges.ts'
import { chooseRoute } from './routes.ts'
import type { RuleDirection } from './rows.ts'

export interface Packet {
  source: Address
  destination: Address
}

/** Reason that an interface may send from an address, or receive for it. */
export type Claim =
  | { type: 'own' }
  | { type: 'transit'; network: Extra }
  | { type: 'external_subnet'; subnet: ExternalSubnet }

/** One event on a packet's path; `packet` is its state before. */
export type Hop =
  | { kind: 'machine'; at: Interface; packet: Packet; online: boolean }
  | {
      kind: 'source'
      at: Interface
      packet: Packet
      /** Whether it checks receiving. */
      receives: boolean
      claim: Claim | undefined
    }
  | {
      kind: 'firewall'
      at: Interface
      packet: Packet
      direction: RuleDirection
      peer: Peer
      /** It answers an allowed connection of this interface. */
      established: boolean
    }
  | {
      kind: 'route'
      at: Interface
      packet: Packet
      route: Route | undefined
      problem?: 'none' | 'drop' | 'nobody' | 'circle'
    }
  | {
      kind: 'gateway'
      at: Interface
      packet: Packet
      gateway: Gateway
      after?: Packet
      by?:
        | { type: 'external_ip'; external: ExternalIp }
        | { type: 'external_subnet'; subnet: ExternalSubnet }
        | { type: 'answer' }
      problem?: 'secondary' | 'noAddress' | 'foreignAddress' | 'empty'
    }
  | {
      kind: 'outside'
      packet: Packet
      /** Interface where the packet continues. */
      at?: Interface
      after?: Packet
      by?:
        | { type: 'external_ip'; external: ExternalIp }
        | { type: 'external_subnet'; subnet: ExternalSubnet }
        | { type: 'answer' }
        | { type: 'internet' }
        | { type: 'sender' }
      problem?: 'privateAddress' | 'unused' | 'snat' | 'noStack'
    }
  | {
      kind: 'delivery'
      at: Interface
      packet: Packet
      how: 'arrived' | 'forwards' | 'behind' | 'itself'
    }

/** At an interface, or outside if `at` is null. */
export interface End {
  at: Interface | null
  packet: Packet
}

export interface Walk {
  hops: Hop[]
  /** Undefined if the packet is lost. */
  end: End | undefined
}

/** Start of a packet: at an interface, or outside if `at` is null. */
export type Start = End

/** Whether an address lies in a subnet of a VPC. */
export const isInside = (vpc: Vpc, address: Address): boolean =>
  vpc.subnets.some(({ ranges }) => ranges.some((range) => isIn(range, address)))

/**
 * Reason that an interface may send from an address and receive for it; undefined if it may not.
 */
export function claimOf(at: Interface, address: Address): Claim | undefined {
  const own = at.addresses[address.version]
  if (own && isSame(own, address)) return { type: 'own' }
  const network = at.transit.find(({ range }) => isIn(range, address))
  if (network) return { type: 'transit', network }
  // Addresses attached to an instance lead to its primary interface.
  const subnet = at.row.primary
    ? at.instance.externalSubnets.find(({ range }) => isIn(range, address))
    : undefined
  return subnet && { type: 'external_subnet', subnet }
}

/** Interface that an instance's guest uses to send to an address. */
export function interfaceTowards(
  interfaces: readonly Interface[],
  address: Address,
): Interface | undefined {
  const able = interfaces.filter((at) => at.addresses[address.version])
  return (
    able.find((at) =>
      at.vpc.subnets.some(
        ({ row, ranges }) =>
          row.id === at.subnet.id && ranges.some((range) => isIn(range, address)),
      ),
    ) ?? able[0]
  )
}

const primaryOf = ({ interfaces }: { interfaces: readonly Interface[] }): Interface | undefined =>
  interfaces.find(({ row }) => row.primary)

/** Chooses the external address of an instance's traffic through a gateway. */
export function translationOf(
  { row, poolIds, addresses }: Gateway,
  at: Interface,
  { version }: Address,
): { external: ExternalIp } | { problem: 'secondary' | 'noAddress' | 'foreignAddress' | 'empty' } {
  if (!at.row.primary) return { problem: 'secondary' }
  const own = at.instance.externalIps.filter(({ address }) => address.version === version)
  const attached = own.find(({ address }) => addresses.some((one) => isSame(one, address)))
  const external = attached ?? own.find((one) => poolIds.has(one.row.ip_pool_id))
  if (external) return { external }
  if (row.ip_pool_ids.length === 0 && addresses.length === 0) return { problem: 'empty' }
  return { problem: own.length === 0 ? 'noAddress' : 'foreignAddress' }
}

/** State of a connection along its path, for its answers. */
class Connection {
  /** Interfaces that allow answers without a rule. */
  readonly #answers = new Set<string>()
  /** Source addresses translated by gateways. */
  readonly sources: { at: Interface; from: Address; to: Address; peer: Address }[] = []
  /** Destination addresses translated on the way in. */
  readonly destinations: { at: Interface; from: Address; to: Address; peer: Address }[] = []

  #key(at: Interface, direction: RuleDirection, { source, destination }: Packet): string {
    return `${at.row.id} ${direction} ${addressKey(source)} ${addressKey(destination)}`
  }

  note(at: Interface, direction: RuleDirection, { source, destination }: Packet): void {
    const back = direction === 'inbound' ? 'outbound' : 'inbound'
    this.#answers.add(this.#key(at, back, { source: destination, destination: source }))
  }

  knows(at: Interface, direction: RuleDirection, packet: Packet): boolean {
    return this.#answers.has(this.#key(at, direction, packet))
  }
}

class Walker {
  readonly hops: Hop[] = []
  readonly #network: Network
  readonly #connection: Connection
  /** Start of the connection, if this is the answer. */
  readonly #answerTo: Start | undefined
  #left = NETWORK_HOPS_MAX

  constructor(network: Network, connection: Connection, answerTo?: Start) {
    this.#network = network
    this.#connection = connection
    this.#answerTo = answerTo
  }

  #firewall(at: Interface, direction: RuleDirection, packet: Packet, inside: boolean): void {
    const address = direction === 'inbound' ? packet.source : packet.destination
    const established =
      this.#answerTo !== undefined && this.#connection.knows(at, direction, packet)
    if (!this.#answerTo) this.#connection.note(at, direction, packet)
    const peer = { address, inside }
    this.hops.push({ kind: 'firewall', at, packet, direction, peer, established })
  }

  /** Sends a packet from an interface. */
  leave(at: Interface, packet: Packet): End | undefined {
    const { source, destination } = packet
    const claim = claimOf(at, source)
    this.hops.push({ kind: 'source', at, packet, receives: false, claim })
    if (!claim) return undefined
    this.#firewall(at, 'outbound', packet, isInside(at.vpc, destination))
    const route = chooseRoute(at.routes, destination)
    const hop = { kind: 'route' as const, at, packet, route }
    const lost = (problem: 'none' | 'drop' | 'nobody' | 'circle') => {
      this.hops.push({ ...hop, problem })
      return undefined
    }
    if (!route) return lost('none')
    if (this.#left-- === 0) return lost('circle')
    switch (route.next.type) {
      case 'drop':
        return lost('drop')
      case 'subnet': {
        const to = at.vpc.byAddress.get(addressKey(destination))
        if (to?.subnet.id !== route.next.subnet.id) return lost('nobody')
        this.hops.push(hop)
        return this.#arrive(to, packet, true)
      }
      case 'interface':
        this.hops.push(hop)
        return this.#arrive(route.next.at, packet, true)
      case 'gateway':
        this.hops.push(hop)
        return this.#translate(route.next.gateway, at, packet)
    }
  }

  #translate(gateway: Gateway, at: Interface, packet: Packet): End | undefined {
    const { source, destination } = packet
    const hop = { kind: 'gateway' as const, at, packet, gateway }
    const known = this.#answerTo
      ? this.#connection.destinations.find(
          (one) => one.at === at && isSame(one.to, source) && isSame(one.peer, destination),
        )
      : undefined
    if (known) {
      const after = { source: known.from, destination }
      this.hops.push({ ...hop, after, by: { type: 'answer' } })
      return this.outside(after)
    }
    const claim = claimOf(at, source)
    if (claim?.type === 'external_subnet') {
      this.hops.push({ ...hop, after: packet, by: claim })
      return this.outside(packet)
    }
    const found = translationOf(gateway, at, source)
    if ('problem' in found) {
      this.hops.push({ ...hop, problem: found.problem })
      return undefined
    }
    const to = found.external.address
    const after = { source: to, destination }
    if (!this.#answerTo) {
      this.#connection.sources.push({ at, from: source, to, peer: destination })
    }
    this.hops.push({ ...hop, after, by: { type: 'external_ip', external: found.external } })
    return this.outside(after)
  }

  /** Handles a packet outside of all VPCs. */
  outside(packet: Packet): End | undefined {
    const { source, destination } = packet
    const hop = { kind: 'outside' as const, packet }
    const lost = (problem: 'privateAddress' | 'unused' | 'snat' | 'noStack', at?: Interface) => {
      this.hops.push({ ...hop, problem, ...(at && { at }) })
      return undefined
    }
    const { sources, destinations } = this.#connection
    if (this.#answerTo) {
      const known = sources.find(({ to, peer }) => isSame(to, destination) && isSame(peer, source))
      if (known) {
        const after = { source, destination: known.from }
        this.hops.push({ ...hop, at: known.at, after, by: { type: 'answer' } })
        return this.#arrive(known.at, after, false)
      }
      const { at, packet: asked } = this.#answerTo
      if (at === null && isSame(asked.source, destination)) {
        this.hops.push({ ...hop, by: { type: 'sender' } })
        return { at: null, packet }
      }
    }
    const owners = this.#network.externalIps.get(addressKey(destination)) ?? []
    const external = owners.find(({ row }) => row.kind !== 'snat')
    if (external) {
      const instance = this.#network.instances.get(external.row.instance_id ?? '')
      const at = instance && primaryOf(instance)
      if (!at) return lost('unused')
      const to = at.addresses[destination.version]
      if (!to) return lost('noStack', at)
      const after = { source, destination: to }
      if (!this.#answerTo) destinations.push({ at, from: destination, to, peer: source })
      this.hops.push({ ...hop, at, after, by: { type: 'external_ip', external } })
      return this.#arrive(at, after, false)
    }
    if (owners.length > 0) return lost('snat')
    const subnet = this.#network.externalSubnets.find(({ range }) => isIn(range, destination))
    if (subnet) {
      const instance = this.#network.instances.get(subnet.row.instance_id ?? '')
      const at = instance && primaryOf(instance)
      if (!at) return lost('unused')
      this.hops.push({ ...hop, at, after: packet, by: { type: 'external_subnet', subnet } })
      return this.#arrive(at, packet, false)
    }
    if (this.#network.poolRanges.some((range) => isIn(range, destination))) return lost('unused')
    if (!isOfTheInternet(destination)) return lost('privateAddress')
    this.hops.push({ ...hop, by: { type: 'internet' } })
    return { at: null, packet }
  }

  /** Delivers a packet to an interface. */
  #arrive(at: Interface, packet: Packet, inside: boolean): End | undefined {
    const online = instanceIsOnline(at.instance.row.run_state)
    if (!online) this.hops.push({ kind: 'machine', at, packet, online })
    const claim = claimOf(at, packet.destination)
    this.hops.push({ kind: 'source', at, packet, receives: true, claim })
    if (!claim) return undefined
    this.#firewall(at, 'inbound', packet, inside)
    if (claim.type !== 'transit') {
      this.hops.push({ kind: 'delivery', at, packet, how: 'arrived' })
      return { at, packet }
    }
    if (!this.#leadsOn(at.vpc, packet.destination)) {
      this.hops.push({ kind: 'delivery', at, packet, how: 'behind' })
      return { at, packet }
    }
    this.hops.push({ kind: 'delivery', at, packet, how: 'forwards' })
    const via = interfaceTowards(at.instance.interfaces, packet.destination) ?? at
    return this.leave(via, packet)
  }

  /**
   * Whether the network leads to an address; other addresses are behind the instance that claims
   * them.
   */
  #leadsOn(vpc: Vpc, address: Address): boolean {
    return (
      isInside(vpc, address) ||
      isOfTheInternet(address) ||
      this.#network.poolRanges.some((range) => isIn(range, address))
    )
  }
}

export interface Ways {
  there: Walk
  /** Undefined if the packet is lost before it arrives. */
  back: Walk | undefined
}

/** Follows a packet and its answer as if all rules allowed them. */
export function follow(network: Network, start: Start): Ways {
  const connection = new Connection()
  const there = new Walker(network, connection)
  const { at, packet } = start
  if (at) {
    const online = instanceIsOnline(at.instance.row.run_state)
    if (!online) there.hops.push({ kind: 'machine', at, packet, online })
    if (at.instance.interfaces.some((one) => claimOf(one, packet.destination)?.type === 'own')) {
      there.hops.push({ kind: 'delivery', at, packet, how: 'itself' })
      const end = { at, packet }
      const swapped = { source: packet.destination, destination: packet.source }
      return { there: { hops: there.hops, end }, back: { hops: [], end: { at, packet: swapped } } }
    }
  }
  const end = at ? there.leave(at, packet) : there.outside(packet)
  if (!end) return { there: { hops: there.hops, end }, back: undefined }
  const answer = { source: end.packet.destination, destination: end.packet.source }
  const back = new Walker(network, connection, start)
  const backEnd = end.at ? back.leave(end.at, answer) : back.outside(answer)
  return { there: { hops: there.hops, end }, back: { hops: back.hops, end: backEnd } }
}

/** Whether an answer comes from the packet's destination, and arrives at its source. */
export const isAnswerTo = ({ at, packet }: Start, end: End): boolean =>
  (end.at?.instance ?? null) === (at?.instance ?? null) &&
  isSame(end.packet.source, packet.destination) &&
  isSame(end.packet.destination, packet.source)

/** Whether a hop stops a packet, whatever the protocol and port. */
export function stops(hop: Hop): boolean {
  switch (hop.kind) {
    case 'machine':
      return !hop.online
    case 'source':
      return hop.claim === undefined
    case 'route':
    case 'gateway':
    case 'outside':
      return hop.problem !== undefined
    case 'firewall':
    case 'delivery':
      return false
  }
}
