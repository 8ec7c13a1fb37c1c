import { type Address, type IpVersion, ipVersion } from '@steading/api/rules'
import {
  addressKey,
  type DeadRoute,
  type ExternalIp,
  type ExternalSubnet,
  type Gateway,
  type Hosts,
  type Instance,
  type Interface,
  type Network,
  type NextHop,
  type Route,
  type RouteTable,
  type Rule,
  type Vpc,
} from './model.ts'
import {
  addressOf,
  isInSome,
  mergeRanges,
  networkOf,
  type Range,
  rangeOf,
  widthOf,
} from './ranges.ts'
import type {
  ExternalIpRow,
  InterfaceRow,
  NetworkRows,
  RouteDestination,
  RouteRow,
  RouterRow,
  RuleEnd,
  RuleRow,
  SubnetRow,
  VpcRow,
} from './rows.ts'
import { selectionOf } from './selection.ts'

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}

const byName = <T extends { name: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.name, item]))

const versions = ['v4', 'v6'] as const satisfies IpVersion[]

const blocksOf = (subnet: SubnetRow): Range[] => [
  networkOf(subnet.ipv4_block),
  networkOf(subnet.ipv6_block),
]

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Lower numbers first; at equal priority, deny before allow, then by name. */
const ruleOrder = (a: RuleRow, b: RuleRow): number =>
  a.priority - b.priority || text(b.action, a.action) || text(a.name, b.name)

const kindOrder = { floating: 0, ephemeral: 1, snat: 2 } as const satisfies Record<
  ExternalIpRow['kind'],
  number
>
const externalOrder = (a: ExternalIp, b: ExternalIp): number =>
  kindOrder[a.row.kind] - kindOrder[b.row.kind] ||
  (a.address.value < b.address.value ? -1 : a.address.value > b.address.value ? 1 : 0) ||
  a.row.first_port - b.row.first_port

/** Resolves the names in the rules and routes of a VPC. */
class Names {
  readonly vpc: VpcRow
  readonly #subnets: Map<string, SubnetRow>
  readonly #gateways: Map<string, Gateway>
  readonly #interfaces: readonly Interface[]
  readonly #instances: Map<string, Interface[]>
  readonly #inSubnet: Map<string, Interface[]>
  readonly #byAddress: ReadonlyMap<string, Interface>

  constructor(vpc: Vpc, subnets: SubnetRow[], gateways: Gateway[]) {
    this.vpc = vpc.row
    this.#subnets = byName(subnets)
    this.#gateways = new Map(gateways.map((gateway) => [gateway.row.name, gateway]))
    this.#interfaces = vpc.interfaces
    const ofInstances = vpc.interfaces.filter(({ instance }) => !instance.row.probe)
    this.#instances = groupBy(ofInstances, (at) => at.instance.row.name)
    this.#inSubnet = groupBy(vpc.interfaces, (at) => at.subnet.id)
    this.#byAddress = vpc.byAddress
  }

  subnet(name: string): SubnetRow | undefined {
    return this.#subnets.get(name)
  }

  gateway(name: string): Gateway | undefined {
    return this.#gateways.get(name)
  }

  interfacesOf(instance: string): readonly Interface[] {
    return this.#instances.get(instance) ?? []
  }

  at(address: Address): Interface | undefined {
    return this.#byAddress.get(addressKey(address))
  }

  /** Interfaces that a rule's targets stand for. */
  *targets(ends: readonly RuleEnd[]): Iterable<Interface> {
    const nets: Range[] = []
    for (const { type, value } of ends) {
      switch (type) {
        case 'vpc':
          if (value === this.vpc.name) yield* this.#interfaces
          break
        case 'subnet':
          yield* this.#inSubnet.get(this.subnet(value)?.id ?? '') ?? []
          break
        case 'instance':
          yield* this.interfacesOf(value)
          break
        case 'ip': {
          const at = this.at(addressOf(value))
          if (at) yield at
          break
        }
        case 'ip_net':
          nets.push(networkOf(value))
      }
    }
    if (nets.length === 0) return
    const ranges = mergeRanges(nets)
    for (const at of this.#interfaces) {
      if (Object.values(at.addresses).some((address) => isInSome(ranges, address))) yield at
    }
  }

  /** Addresses that a rule's host filter stands for. */
  hosts({ type, value }: RuleEnd): Range[] {
    switch (type) {
      case 'vpc':
        return []
      case 'subnet': {
        const subnet = this.subnet(value)
        return subnet ? blocksOf(subnet) : []
      }
      case 'instance':
        return this.interfacesOf(value).flatMap(({ addresses }) =>
          versions.flatMap((version) => addresses[version] ?? []).map(rangeOf),
        )
      case 'ip':
        return [rangeOf(addressOf(value))]
      case 'ip_net':
        return [networkOf(value)]
    }
  }
}

/** Shares the results of equal inputs among many rules. */
function once<In, Out>(make: (given: In) => Out): (given: In) => Out {
  const made = new Map<string, Out>()
  return (given) => {
    const key = JSON.stringify(given)
    let out = made.get(key)
    if (out === undefined) made.set(key, (out = make(given)))
    return out
  }
}

/** Compiles the rules of a VPC. Equal targets, hosts or ports are shared between rules. */
function compileRules(rows: readonly RuleRow[], names: Names): Rule[] {
  const hostsOf = once((hosts: readonly RuleEnd[]): Hosts => ({
    inside: hosts.some(({ type, value }) => type === 'vpc' && value === names.vpc.name),
    ranges: mergeRanges(hosts.flatMap((host) => names.hosts(host))),
  }))
  const targetsOf = once(
    (ends: readonly RuleEnd[]) => new Set([...names.targets(ends)].map((at) => at.row.id)),
  )
  const selected = once(selectionOf)
  return rows.toSorted(ruleOrder).map((row) => {
    const { hosts, protocols, ports } = row.filters
    return {
      row,
      hosts: hosts?.length ? hostsOf(hosts) : null,
      selection: selected({ protocols, ports }),
      targets: targetsOf(row.targets),
    }
  })
}

function destinationsOf({ type, value }: RouteDestination, names: Names): Range[] {
  switch (type) {
    case 'ip':
      return [rangeOf(addressOf(value))]
    case 'ip_net':
      return [networkOf(value)]
    case 'subnet': {
      const subnet = names.subnet(value)
      return subnet ? blocksOf(subnet) : []
    }
    // VPCs are not connected to each other.
    case 'vpc':
      return []
  }
}

/** Next hop of a route for one IP version; undefined if the route is not in effect. */
function nextHop({ target }: RouteRow, version: IpVersion, names: Names): NextHop | undefined {
  switch (target.type) {
    case 'drop':
      return { type: 'drop' }
    case 'subnet': {
      const subnet = names.subnet(target.value)
      return subnet && { type: 'subnet', subnet }
    }
    case 'ip': {
      const at = ipVersion(target.value) === version && names.at(addressOf(target.value))
      return at ? { type: 'interface', at } : undefined
    }
    case 'instance': {
      const at = names.interfacesOf(target.value).find(({ addresses }) => addresses[version])
      return at && { type: 'interface', at }
    }
    case 'internet_gateway': {
      const gateway = names.gateway(target.value)
      return gateway && { type: 'gateway', gateway }
    }
    case 'vpc':
      return undefined
  }
}

/**
 * Longest prefix first. At equal length, the custom router's route, then a `drop` route, then by
 * name.
 */
const routeOrder = (a: Route, b: Route): number =>
  b.width - a.width ||
  text(a.router.kind, b.router.kind) ||
  Number(b.next.type === 'drop') - Number(a.next.type === 'drop') ||
  text(a.row.name, b.row.name)

function compileRoutes(
  routers: readonly RouterRow[],
  routesOf: ReadonlyMap<string, RouteRow[]>,
  names: Names,
): RouteTable {
  const routes: Route[] = []
  const dead: DeadRoute[] = []
  for (const router of routers) {
    for (const row of routesOf.get(router.id) ?? []) {
      const known = routes.length
      for (const destination of destinationsOf(row.destination, names)) {
        const next = nextHop(row, destination.version, names)
        if (next) routes.push({ row, router, destination, width: widthOf(destination), next })
      }
      if (routes.length === known) dead.push({ row, router })
    }
  }
  return { routes: routes.sort(routeOrder), dead }
}

/** Resolves the names in the rows, and assigns rules and routes to each interface. */
export function compile(rows: NetworkRows): Network {
  const subnetsOf = groupBy(rows.subnets, (row) => row.vpc_id)
  const routersOf = groupBy(rows.routers, (row) => row.vpc_id)
  const routesOf = groupBy(rows.routes, (row) => row.vpc_router_id)
  const rulesOf = groupBy(rows.firewall_rules, (row) => row.vpc_id)
  const gatewaysOf = groupBy(rows.internet_gateways, (row) => row.vpc_id)
  const interfacesOf = groupBy(rows.interfaces, (row) => row.vpc_id)
  const subnetById = new Map(rows.subnets.map((row) => [row.id, row]))

  const instances = new Map<string, Instance>(
    rows.instances.map((row) => [
      row.id,
      { row, interfaces: [], externalIps: [], externalSubnets: [] },
    ]),
  )
  const externalIps: ExternalIp[] = rows.external_ips.map((row) => ({
    row,
    address: addressOf(row.ip),
  }))
  for (const external of externalIps) {
    instances.get(external.row.instance_id ?? '')?.externalIps.push(external)
  }
  const externalSubnets: ExternalSubnet[] = rows.external_subnets.map((row) => ({
    row,
    range: networkOf(row.subnet),
  }))
  for (const subnet of externalSubnets) {
    instances.get(subnet.row.instance_id ?? '')?.externalSubnets.push(subnet)
  }
  for (const instance of instances.values()) instance.externalIps.sort(externalOrder)

  const vpcs = new Map<string, Vpc>()
  const interfaces = new Map<string, Interface>()
  for (const row of rows.vpcs) {
    const gateways = (gatewaysOf.get(row.id) ?? []).map((gateway) => ({
      row: gateway,
      poolIds: new Set(gateway.ip_pool_ids),
      addresses: gateway.addresses.map(addressOf),
    }))
    const byAddress = new Map<string, Interface>()
    const subnets = subnetsOf.get(row.id) ?? []
    const vpc: Vpc = {
      row,
      rules: [],
      subnets: [],
      gateways,
      interfaces: [],
      byAddress,
    }
    vpcs.set(row.id, vpc)
    const noRoutes: RouteTable = { routes: [], dead: [] }
    // Primary interface of an instance first.
    const ordered = (interfacesOf.get(row.id) ?? []).toSorted(
      (a, b) => Number(b.primary) - Number(a.primary) || text(a.name, b.name),
    )
    for (const nic of ordered) {
      const instance = instances.get(nic.instance_id)
      const subnet = subnetById.get(nic.subnet_id)
      if (!instance || !subnet) continue
      const at: Interface = {
        row: nic,
        instance,
        vpc,
        subnet,
        addresses: addressesOf(nic),
        transit: nic.transit_ips.map((net) => ({ range: networkOf(net), text: net })),
        routes: noRoutes,
        inbound: [],
        outbound: [],
      }
      interfaces.set(nic.id, at)
      instance.interfaces.push(at)
      vpc.interfaces.push(at)
      for (const version of versions) {
        const address = at.addresses[version]
        if (address) byAddress.set(addressKey(address), at)
      }
    }

    const names = new Names(vpc, subnets, gateways)
    vpc.rules = compileRules(rulesOf.get(row.id) ?? [], names)
    const inEffect = vpc.rules.filter((rule) => rule.row.status === 'enabled')

    const routers = routersOf.get(row.id) ?? []
    const system = routers.filter(({ kind }) => kind === 'system')
    const tables = new Map<string, RouteTable>()
    vpc.subnets = subnets.map((subnet) => {
      const { id, custom_router_id } = subnet
      const custom = routers.filter((router) => router.id === custom_router_id)
      const key = custom_router_id ?? ''
      const table =
        tables.get(key) ??
        compileRoutes(
          custom.some(({ kind }) => kind === 'custom') ? [...custom, ...system] : system,
          routesOf,
          names,
        )
      tables.set(key, table)
      for (const at of vpc.interfaces) if (at.subnet.id === id) at.routes = table
      return { row: subnet, ranges: blocksOf(subnet), routes: table }
    })
    assignRules(vpc.interfaces, inEffect)
  }
  return {
    rows,
    vpcs,
    instances,
    interfaces,
    externalIps: groupBy(externalIps, ({ address }) => addressKey(address)),
    externalSubnets,
    poolRanges: rows.pool_ranges.map(({ first, last }) => {
      const { version, value } = addressOf(first)
      return { version, first: value, last: addressOf(last).value }
    }),
  }
}

function addressesOf({ ipv4, ipv6 }: InterfaceRow): Interface['addresses'] {
  return {
    ...(ipv4 === null ? {} : { v4: addressOf(ipv4) }),
    ...(ipv6 === null ? {} : { v6: addressOf(ipv6) }),
  }
}

/** Assigns each interface its rules. Interfaces with the same rules share the lists. */
function assignRules(interfaces: readonly Interface[], rules: readonly Rule[]): void {
  /** Shared targets → indexes of rules. */
  const byTargets = new Map<ReadonlySet<string>, number[]>()
  for (const [index, { targets }] of rules.entries()) {
    const same = byTargets.get(targets)
    if (same) same.push(index)
    else byTargets.set(targets, [index])
  }
  /** Interface id → numbers of the targets it belongs to. */
  const belongs = new Map<string, number[]>(interfaces.map(({ row }) => [row.id, []]))
  const indexes = [...byTargets.values()]
  for (const [number, targets] of [...byTargets.keys()].entries()) {
    for (const id of targets) belongs.get(id)!.push(number)
  }
  const shared = new Map<string, Pick<Interface, 'inbound' | 'outbound'>>()
  for (const at of interfaces) {
    const own = belongs.get(at.row.id)!
    const key = own.join(' ')
    let lists = shared.get(key)
    if (!lists) {
      const all = own
        .flatMap((number) => indexes[number]!)
        .sort((a, b) => a - b)
        .map((index) => rules[index]!)
      lists = {
        inbound: all.filter(({ row }) => row.direction === 'inbound'),
        outbound: all.filter(({ row }) => row.direction === 'outbound'),
      }
      shared.set(key, lists)
    }
    at.inbound = lists.inbound
    at.outbound = lists.outbound
  }
}
