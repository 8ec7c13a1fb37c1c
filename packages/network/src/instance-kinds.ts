/** Distinguishing properties of a VPC's instances, in one network. */
import type { Address } from '@steading/api/rules'
import { type Matter, Numbers, partOf, type RuleContents } from './changed-rules.ts'
import type { Hosts, Instance, Interface, Network, Rule, RouteTable, Vpc } from './model.ts'
import { isIn, isInSome, type Range } from './ranges.ts'
import type { Selection } from './selection.ts'

const versions = ['v4', 'v6'] as const

const rangeText = ({ version, first, last }: Range): string => `${version} ${first}-${last}`

/** A rule that is relevant to a change, in terms of its network. */
export interface MatteringRule {
  allows: boolean
  /** Index of its hosts; -1 for all hosts. */
  hosts: number
  inside: boolean
  selection: Selection
}

export class InstanceKinds {
  readonly #network: Network
  readonly #vpc: Vpc | undefined
  readonly #matter: Matter
  readonly #numbers: Numbers
  readonly #contents: RuleContents
  readonly #lists = new Map<readonly Rule[], { rules: MatteringRule[]; number: number }>()
  readonly #parts = new Map<Selection, Selection | undefined>()
  readonly #tables = new Map<RouteTable, number>()
  /** Hosts of relevant rules → index. */
  readonly #hosts = new Map<Hosts, number>()
  readonly #classes = new Map<Address, number>()
  readonly #classNumbers = new Numbers()
  /** For each class of addresses, its membership in hosts. */
  readonly isAmong: Uint8Array[] = []
  readonly #destinations: Range[]
  readonly #attached: ReadonlySet<string>
  /** Next-hop instances: their properties affect the paths of others. */
  readonly nextHops = new Set<string>()

  /** @param numbers shared by the compared networks, like `contents` */
  constructor(
    network: Network,
    vpcId: string,
    { matter, numbers, contents }: { matter: Matter; numbers: Numbers; contents: RuleContents },
  ) {
    this.#network = network
    this.#vpc = network.vpcs.get(vpcId)
    this.#matter = matter
    this.#numbers = numbers
    this.#contents = contents
    for (const { row, hosts, selection } of this.#vpc?.rules ?? []) {
      if (row.status !== 'enabled' || !hosts || this.#hosts.has(hosts)) continue
      if (this.#part(selection)) this.#hosts.set(hosts, this.#hosts.size)
    }
    const destinations = new Map<string, Range>()
    for (const { routes } of new Set(this.#vpc?.interfaces.map(({ routes }) => routes))) {
      for (const { destination, next } of routes) {
        destinations.set(rangeText(destination), destination)
        if (next.type === 'interface') this.nextHops.add(next.at.instance.row.id)
      }
    }
    this.#destinations = [...destinations.values()]
    this.#attached = new Set(this.#vpc?.gateways.flatMap(({ row }) => row.addresses))
  }

  of(id: string): Instance | undefined {
    return this.#network.instances.get(id)
  }

  #part(selection: Selection): Selection | undefined {
    if (!this.#parts.has(selection)) this.#parts.set(selection, partOf(selection, this.#matter))
    return this.#parts.get(selection)
  }

  /** The relevant rules of a list, with a number for their effect. */
  list(rules: readonly Rule[]): { rules: readonly MatteringRule[]; number: number } {
    let list = this.#lists.get(rules)
    if (!list) {
      const mattering: MatteringRule[] = []
      let content = ''
      for (const { row, hosts, selection } of rules) {
        const part = this.#part(selection)
        if (!part) continue
        mattering.push({
          allows: row.action === 'allow',
          hosts: hosts ? this.#hosts.get(hosts)! : -1,
          inside: hosts?.inside ?? false,
          selection: part,
        })
        content += `${row.action} ${this.#contents.hosts(hosts)} ${this.#contents.selection(part)} `
      }
      list = { rules: mattering, number: this.#numbers.of(content) }
      this.#lists.set(rules, list)
    }
    return list
  }

  #table(table: RouteTable): number {
    let number = this.#tables.get(table)
    if (number === undefined) {
      const content = table.routes.map(({ destination, next }) => {
        switch (next.type) {
          case 'drop':
            return [rangeText(destination), 'drop']
          case 'subnet':
            return [rangeText(destination), next.subnet.id]
          case 'interface':
            return [rangeText(destination), next.at.row]
          case 'gateway':
            return [rangeText(destination), next.gateway.row]
        }
      })
      number = this.#numbers.of(JSON.stringify(content))
      this.#tables.set(table, number)
    }
    return number
  }

  /** Addresses of the same class are matched by the same rules. */
  classOf(address: Address): number {
    let number = this.#classes.get(address)
    if (number === undefined) {
      const among = new Uint8Array(this.#hosts.size)
      for (const [hosts, index] of this.#hosts) {
        if (isInSome(hosts.ranges, address)) among[index] = 1
      }
      number = this.#classNumbers.of(`${address.version} ${among.join('')}`)
      this.isAmong[number] ??= among
      this.#classes.set(address, number)
    }
    return number
  }

  /** Routes that match an address. */
  #routed(address: Address | undefined): string {
    if (!address) return '-'
    return this.#destinations.map((range) => (isIn(range, address) ? 1 : 0)).join('')
  }

  #external({ externalIps, externalSubnets }: Instance) {
    return [
      // Addresses attached to gateways individually.
      externalIps.flatMap(({ row }) => (this.#attached.has(row.ip) ? [row.ip] : [])),
      externalIps.map(({ row }) => [row.kind, row.ip_pool_id, row.ip.includes(':')]),
      externalSubnets.map(({ row }) => row.subnet),
    ]
  }

  #place({ subnet, row, routes }: Interface) {
    return [subnet.id, row.primary, row.transit_ips, this.#table(routes)]
  }

  #rules({ inbound, outbound }: Interface) {
    return [this.list(inbound).number, this.list(outbound).number]
  }

  /** Packets of instances with the same number take the same paths, whatever the rules. */
  wayOf(instance: Instance | undefined): number {
    if (!instance) return -1
    const { id } = instance.row
    return this.#numbers.of(
      JSON.stringify([
        // An instance that is the target of routes or addresses is unique.
        this.nextHops.has(id) || instance.externalSubnets.length > 0 ? id : null,
        this.#external(instance),
        instance.interfaces.map((at) => [
          this.#place(at),
          versions.map((version) => this.#routed(at.addresses[version])),
        ]),
      ]),
    )
  }

  /** Instances that also have the same text have the same connections. */
  rulesOf(instance: Instance | undefined): string {
    if (!instance) return ''
    const named = ({ externalIps, externalSubnets }: Instance) => [
      externalIps.map(({ address }) => this.classOf(address)),
      externalSubnets.map(({ row }) => row.subnet),
    ]
    return JSON.stringify([
      named(instance),
      instance.interfaces.map((at) => [
        this.#rules(at),
        versions.map((version) => {
          const address = at.addresses[version]
          return address ? this.classOf(address) : -1
        }),
      ]),
    ])
  }

  /** Properties that determine the paths of an instance's packets. */
  placeOf(instance: Instance | undefined): string {
    if (!instance) return ''
    return JSON.stringify([
      this.#external(instance),
      instance.externalIps.map(({ row }) => row.ip),
      instance.interfaces.map((at) => [at.row.id, this.#place(at), at.row.ipv4, at.row.ipv6]),
    ])
  }

  /** Properties that determine the connections between instances. */
  contentOf(instance: Instance | undefined): string {
    if (!instance) return ''
    return `${this.placeOf(instance)} ${JSON.stringify(instance.interfaces.map((at) => this.#rules(at)))}`
  }
}
