/** The two ends of a question: the sending interface, and the destination address. */
import {
  type Address,
  formatAddress,
  type IpVersion,
  networkReasons as reasons,
} from '@steading/api/rules'
import { addressKey, type Instance, type Interface, type Network, type Vpc } from './model.ts'
import { addressOf, isIn, isOfTheInternet, networkOf, type Range } from './ranges.ts'
import { guestOf, placeOf, step, type Step } from './steps.ts'
import { claimOf, interfaceTowards, isInside, type Start } from './walk.ts'

export type QuestionEnd =
  | {
      type: 'instance'
      /** Instance id. */
      instance: string
      /** Id of one of its interfaces; default: the one that its guest would use. */
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
  /** For ICMP; default: an echo request. */
  icmp_type?: number | null
  icmp_code?: number | null
  /** Default: IPv4 if both ends have it. */
  ip_version?: IpVersion | null
  /** VPC of the private addresses, if neither end is an instance. */
  vpc?: string | null
}

/** Sample internet addresses: the first one that no rule or route mentions is used. */
const samples: Record<IpVersion, readonly Address[]> = {
  v4: ['1.1.1.1', '8.8.8.8', '23.0.0.1', '45.45.45.45', '91.91.91.91', '151.101.1.1'].map(
    addressOf,
  ),
  v6: ['2606:4700::1', '2001:4860::8', '2a00:1450::1', '2400::1', '2800::1', '2c00::1'].map(
    addressOf,
  ),
}

/** Networks mentioned by the rules and routes of a VPC. */
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

/** An internet address that rules and routes mention as little as possible. */
export function internetAddress(networks: readonly Network[], version: IpVersion): Address {
  let best = samples[version][0]!
  let smallest = 0n
  const ranges = networks
    .flatMap((network) => [...mentioned(network), ...network.poolRanges])
    .filter((range) => range.version === version)
  for (const sample of samples[version]) {
    const around = ranges.filter((range) => isIn(range, sample))
    if (around.length === 0) return sample
    const size = around.map(({ first, last }) => last - first).reduce((a, b) => (a < b ? a : b))
    if (size > smallest) [best, smallest] = [sample, size]
  }
  return best
}

/** Reason that a question has no packet. */
export class NoEnd extends Error {}

/** Interface of an instance for traffic from another interface of its VPC. */
export function reachedBy(
  to: Instance,
  from: readonly Interface[],
  version: IpVersion,
): Interface | undefined {
  const able = to.interfaces.filter((at) => at.addresses[version])
  return able.find((at) => from.some(({ subnet }) => subnet.id === at.subnet.id)) ?? able[0]
}

/** Address of an instance for traffic from outside its VPC. */
export function externalAddress(to: Instance, version: IpVersion): Address | undefined {
  const external = to.externalIps.find(
    ({ row, address }) => row.kind !== 'snat' && address.version === version,
  )
  if (external) return external.address
  const subnet = to.externalSubnets.find(({ range }) => range.version === version)
  if (!subnet) return undefined
  const { first, last } = subnet.range
  return { version, value: first === last ? first : first + 1n }
}

/** The known interface that sends from an address and receives for it, if any. */
export function interfaceWith(
  { externalIps, externalSubnets, instances }: Network,
  vpc: Vpc | undefined,
  address: Address,
): Interface | undefined {
  const own = vpc?.byAddress.get(addressKey(address))
  if (own) return own
  const behind = vpc?.interfaces.find((at) => claimOf(at, address))
  if (behind) return behind
  const external = externalIps.get(addressKey(address))?.find(({ row }) => row.kind !== 'snat')
  const subnet = externalSubnets.find(({ range }) => isIn(range, address))
  const id = external?.row.instance_id ?? subnet?.row.instance_id
  return instances.get(id ?? '')?.interfaces.find(({ row }) => row.primary)
}

export interface Ends {
  /** Start of the packet, and its first step. */
  start: Start
  begin: Step
}

export class Resolver {
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
      throw new NoEnd(reasons.endpoint.noVersion(instance.row, this.#version))
    }
    return chosen
  }

  ends(): Ends {
    const { from, to } = this.#question
    const sender: Interface[] | undefined = (() => {
      if (from.type === 'instance') return this.#interfaces(from)
      if (from.type === 'internet') return undefined
      const at = interfaceWith(this.#network, this.#vpc, addressOf(from.address))
      return at && [at]
    })()
    if (!sender) return this.#fromOutside()
    const destination = this.#destination(to, sender)
    const at = interfaceTowards(sender, destination)
    if (!at) {
      throw new NoEnd(reasons.endpoint.noVersion(sender[0]!.instance.row, this.#version))
    }
    const source = this.#sourceAt(at)
    const packet = { source, destination }
    const reason = reasons.endpoint.sends(guestOf(at), at.row.name, formatAddress(source))
    return {
      start: { at, packet },
      begin: { ...step('endpoint', true, reason, packet), ...placeOf(at) },
    }
  }

  #sourceAt(at: Interface): Address {
    const { from } = this.#question
    if (from.type === 'address') {
      const address = addressOf(from.address)
      // A gateway assigns the external address of its packets.
      if (claimOf(at, address)) return address
    }
    return at.addresses[this.#version]!
  }

  #fromOutside(): Ends {
    const { from, to } = this.#question
    const source =
      from.type === 'address'
        ? addressOf(from.address)
        : internetAddress([this.#network], this.#version)
    const text = formatAddress(source)
    if (this.#vpc && from.type === 'address' && isInside(this.#vpc, source)) {
      throw new NoEnd(reasons.endpoint.nobody(text, this.#vpc.row.name))
    }
    if (!this.#canBeOutside(source)) throw new NoEnd(reasons.endpoint.privateSource(text))
    const packet = { source, destination: this.#destination(to, undefined) }
    const begin = step('endpoint', true, reasons.endpoint.sendsFromOutside(text), packet)
    return { start: { at: null, packet }, begin }
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
    if (to.type === 'internet') return internetAddress([this.#network], version)
    if (to.type === 'address') {
      const address = addressOf(to.address)
      // For outside traffic, a private address stands for its instance.
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
    throw new NoEnd(reasons.endpoint.noExternal(instance.row, this.#version))
  }
}

const end = (id: string | null | undefined, interfaces: readonly Interface[]) =>
  id ? interfaces.find(({ row }) => row.id === id) : undefined

/** IP versions available at an end of a question. */
export function versionsOf(network: Network, one: QuestionEnd): readonly IpVersion[] {
  if (one.type !== 'instance') return ['v4', 'v6']
  const instance = network.instances.get(one.instance)
  const interfaces = (instance?.interfaces ?? []).filter(
    ({ row }) => !one.interface || row.id === one.interface,
  )
  return (['v4', 'v6'] as const).filter((version) =>
    interfaces.some(({ addresses }) => addresses[version]),
  )
}
