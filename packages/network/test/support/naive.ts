/**
 * A naive model for comparison: follows one packet through the rows, hop by hop and rule by rule,
 * without compiling anything. It implements the rules of README.md, and shares no code with the
 * model.
 */
import { contains, parseAddress, parseNetwork } from '@steading/api/rules'
import type {
  GatewayRow,
  InterfaceRow,
  NetworkRows,
  RouteRow,
  RuleEnd,
  RuleRow,
} from '../../src/index.ts'

interface Packet {
  source: string
  destination: string
}

export interface NaiveTraffic {
  protocol: 'tcp' | 'udp' | 'icmp' | 'icmp6'
  port?: number
  type?: number
  code?: number
}

const inNet = (net: string, address: string): boolean =>
  contains(parseNetwork(net)!, parseAddress(address)!)
const isV6 = (address: string): boolean => address.includes(':')
const same = (a: string, b: string): boolean =>
  isV6(a) === isV6(b) && parseAddress(a)!.value === parseAddress(b)!.value

const unroutable = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 ' +
  '224.0.0.0/3 ::/8 fc00::/7 fe80::/10 ff00::/8'
).split(' ')

function inSpan(text: string, number: number): boolean {
  const [first, last = first] = text.split('-')
  return Number(first) <= number && number <= Number(last)
}

/** Whether a packet arrives, and whether its answer returns. */
export function naive(
  rows: NetworkRows,
  start: Packet & { nic: string | null },
  traffic: NaiveTraffic,
): { arrives: boolean; reachable: boolean } {
  const nicById = (id: string): InterfaceRow => rows.interfaces.find((nic) => nic.id === id)!
  const instanceOf = (nic: InterfaceRow) => rows.instances.find(({ id }) => id === nic.instance_id)!
  const vpcOf = (nic: InterfaceRow) => rows.vpcs.find(({ id }) => id === nic.vpc_id)!
  const subnetsOf = (vpcId: string) => rows.subnets.filter(({ vpc_id }) => vpc_id === vpcId)
  const nicsOf = (vpcId: string) => rows.interfaces.filter(({ vpc_id }) => vpc_id === vpcId)
  const hasAddress = (nic: InterfaceRow, address: string): boolean =>
    [nic.ipv4, nic.ipv6].some((own) => own !== null && same(own, address))
  const inSubnet = (subnetId: string, address: string): boolean => {
    const subnet = rows.subnets.find(({ id }) => id === subnetId)!
    return inNet(subnet.ipv4_block, address) || inNet(subnet.ipv6_block, address)
  }
  const inVpc = (vpcId: string, address: string): boolean =>
    subnetsOf(vpcId).some(({ id }) => inSubnet(id, address))
  const inPool = (address: string): boolean =>
    rows.pool_ranges.some(({ first, last }) => {
      const { value } = parseAddress(address)!
      return (
        isV6(first) === isV6(address) &&
        parseAddress(first)!.value <= value &&
        value <= parseAddress(last)!.value
      )
    })

  const mayUse = (nic: InterfaceRow, address: string): 'own' | 'transit' | 'subnet' | false => {
    if (hasAddress(nic, address)) return 'own'
    if (nic.transit_ips.some((net) => inNet(net, address))) return 'transit'
    const attached = rows.external_subnets.some(
      ({ instance_id, subnet }) => instance_id === nic.instance_id && inNet(subnet, address),
    )
    return nic.primary && attached && 'subnet'
  }

  const targets = ({ type, value }: RuleEnd, nic: InterfaceRow): boolean => {
    switch (type) {
      case 'vpc':
        return vpcOf(nic).name === value
      case 'subnet':
        return rows.subnets.some(({ id, name }) => id === nic.subnet_id && name === value)
      case 'instance':
        return instanceOf(nic).name === value
      case 'ip':
        return hasAddress(nic, value)
      case 'ip_net':
        return [nic.ipv4, nic.ipv6].some((own) => own !== null && inNet(value, own))
    }
  }
  const isHost = (
    { type, value }: RuleEnd,
    nic: InterfaceRow,
    other: string,
    inside: boolean,
  ): boolean => {
    switch (type) {
      case 'vpc':
        return inside && vpcOf(nic).name === value
      case 'subnet':
        return subnetsOf(nic.vpc_id).some(({ id, name }) => name === value && inSubnet(id, other))
      case 'instance':
        return nicsOf(nic.vpc_id).some(
          (one) => instanceOf(one).name === value && hasAddress(one, other),
        )
      case 'ip':
        return same(value, other)
      case 'ip_net':
        return inNet(value, other)
    }
  }
  const fits = ({ filters }: RuleRow, carried: NaiveTraffic): boolean => {
    const { protocols, ports } = filters
    if (protocols && protocols.length > 0) {
      const named = protocols.some((filter) => {
        if (filter.type !== carried.protocol) return false
        if (!('value' in filter) || filter.value === null) return true
        const { icmp_type, code } = filter.value
        return icmp_type === carried.type && (!code || inSpan(code, carried.code!))
      })
      if (!named) return false
    }
    if (!ports || ports.length === 0) return true
    return carried.port !== undefined && ports.some((span) => inSpan(span, carried.port!))
  }
  const letsThrough = (
    nic: InterfaceRow,
    direction: 'inbound' | 'outbound',
    other: string,
    inside: boolean,
    carried: NaiveTraffic,
  ): boolean => {
    const matching = rows.firewall_rules.filter(
      (rule) =>
        rule.vpc_id === nic.vpc_id &&
        rule.status === 'enabled' &&
        rule.direction === direction &&
        rule.targets.some((target) => targets(target, nic)) &&
        (!rule.filters.hosts?.length ||
          rule.filters.hosts.some((host) => isHost(host, nic, other, inside))) &&
        fits(rule, carried),
    )
    if (matching.length === 0) return direction === 'outbound'
    const first = Math.min(...matching.map(({ priority }) => priority))
    return matching.every(({ priority, action }) => priority !== first || action === 'allow')
  }

  type Next = 'drop' | { nic: InterfaceRow } | { subnet: string } | { gateway: GatewayRow }
  const nextOf = ({ target }: RouteRow, vpcId: string, v6: boolean): Next | undefined => {
    switch (target.type) {
      case 'drop':
        return 'drop'
      case 'vpc':
        return undefined
      case 'subnet': {
        const subnet = subnetsOf(vpcId).find(({ name }) => name === target.value)
        return subnet && { subnet: subnet.id }
      }
      case 'ip': {
        if (isV6(target.value) !== v6) return undefined
        const nic = nicsOf(vpcId).find((one) => hasAddress(one, target.value))
        return nic && { nic }
      }
      case 'instance': {
        const nics = nicsOf(vpcId).filter(
          (one) => instanceOf(one).name === target.value && (v6 ? one.ipv6 : one.ipv4) !== null,
        )
        const nic = nics.find(({ primary }) => primary) ?? nics[0]
        return nic && { nic }
      }
      case 'internet_gateway': {
        const gateway = rows.internet_gateways.find(
          ({ vpc_id, name }) => vpc_id === vpcId && name === target.value,
        )
        return gateway && { gateway }
      }
    }
  }
  const prefixOf = (
    { destination: { type, value } }: RouteRow,
    vpcId: string,
    address: string,
  ): number | undefined => {
    const nets = (() => {
      switch (type) {
        case 'ip':
          return [`${value}/${isV6(value) ? 128 : 32}`]
        case 'ip_net':
          return [value]
        case 'subnet':
          return subnetsOf(vpcId)
            .filter(({ name }) => name === value)
            .flatMap(({ ipv4_block, ipv6_block }) => [ipv4_block, ipv6_block])
        case 'vpc':
          return []
      }
    })()
    const net = nets.find((one) => inNet(one, address))
    return net === undefined ? undefined : parseNetwork(net)!.width
  }
  const routed = (nic: InterfaceRow, destination: string): Next | undefined => {
    const { custom_router_id } = rows.subnets.find(({ id }) => id === nic.subnet_id)!
    let best:
      | { width: number; custom: boolean; drop: boolean; name: string; next: Next }
      | undefined
    for (const router of rows.routers) {
      const custom = router.kind === 'custom'
      if (router.vpc_id !== nic.vpc_id || (custom && router.id !== custom_router_id)) continue
      for (const route of rows.routes) {
        if (route.vpc_router_id !== router.id) continue
        const width = prefixOf(route, nic.vpc_id, destination)
        const next = nextOf(route, nic.vpc_id, isV6(destination))
        if (width === undefined || next === undefined) continue
        const one = { width, custom, drop: next === 'drop', name: route.name, next }
        const wins =
          !best ||
          (one.width !== best.width
            ? one.width > best.width
            : one.custom !== best.custom
              ? one.custom
              : one.drop !== best.drop
                ? one.drop
                : one.name < best.name)
        if (wins) best = one
      }
    }
    return best?.next
  }

  /** Connections allowed by interfaces, and addresses translated on the way there. */
  const seen: string[] = []
  const changed: {
    where: string
    side: 'source' | 'destination'
    from: string
    to: string
    peer: string
  }[] = []
  const up = (nic: InterfaceRow): boolean =>
    ['running', 'migrating', 'repairing'].includes(instanceOf(nic).run_state)

  type Place = { nic: string | null; packet: Packet }
  function run(begin: Place, carried: NaiveTraffic, back: boolean): Place | undefined {
    let left = 8
    let place: 'leaves' | 'outside' | 'arrives' = begin.nic === null ? 'outside' : 'leaves'
    let nic = begin.nic === null ? undefined : nicById(begin.nic)
    let packet = begin.packet
    let inside = true
    const filter = (direction: 'inbound' | 'outbound', other: string, within: boolean): boolean => {
      const key = (d: string, s: string, t: string) => `${nic!.id} ${d} ${s} ${t}`
      const { source, destination } = packet
      if (back && seen.includes(key(direction, source, destination))) return true
      if (!letsThrough(nic!, direction, other, within, carried)) return false
      const opposite = direction === 'inbound' ? 'outbound' : 'inbound'
      if (!back) seen.push(key(opposite, destination, source))
      return true
    }
    for (;;) {
      const { source, destination } = packet
      if (place === 'leaves') {
        if (!mayUse(nic!, source)) return undefined
        if (!filter('outbound', destination, inVpc(nic!.vpc_id, destination))) return undefined
        const next = routed(nic!, destination)
        if (next === undefined || next === 'drop' || left-- === 0) return undefined
        if ('subnet' in next) {
          const owner = nicsOf(nic!.vpc_id).find((one) => hasAddress(one, destination))
          if (owner?.subnet_id !== next.subnet) return undefined
          nic = owner
          place = 'arrives'
          inside = true
          continue
        }
        if ('nic' in next) {
          nic = next.nic
          place = 'arrives'
          inside = true
          continue
        }
        const known = changed.find(
          ({ where, side, to, peer }) =>
            back &&
            where === nic!.id &&
            side === 'destination' &&
            to === source &&
            peer === destination,
        )
        if (known) {
          packet = { source: known.from, destination }
        } else if (mayUse(nic!, source) !== 'subnet') {
          const { gateway } = next
          if (!nic!.primary) return undefined
          const order = ['floating', 'ephemeral', 'snat']
          const own = rows.external_ips
            .filter(
              ({ instance_id, ip }) =>
                instance_id === nic!.instance_id && isV6(ip) === isV6(source),
            )
            .toSorted(
              (a, b) =>
                order.indexOf(a.kind) - order.indexOf(b.kind) ||
                Number(parseAddress(a.ip)!.value - parseAddress(b.ip)!.value),
            )
          const chosen =
            own.find(({ ip }) => gateway.addresses.some((one) => same(one, ip))) ??
            own.find(({ ip_pool_id }) => gateway.ip_pool_ids.includes(ip_pool_id))
          if (!chosen) return undefined
          if (!back) {
            changed.push({
              where: nic!.id,
              side: 'source',
              from: source,
              to: chosen.ip,
              peer: destination,
            })
          }
          packet = { source: chosen.ip, destination }
        }
        place = 'outside'
        continue
      }
      if (place === 'outside') {
        inside = false
        if (back) {
          const known = changed.find(
            ({ side, to, peer }) => side === 'source' && to === destination && peer === source,
          )
          if (known) {
            nic = nicById(known.where)
            packet = { source, destination: known.from }
            place = 'arrives'
            continue
          }
          if (start.nic === null && same(start.source, destination)) return { nic: null, packet }
        }
        const owners = rows.external_ips.filter(({ ip }) => same(ip, destination))
        const owner = owners.find(({ kind }) => kind !== 'snat')
        const subnet = rows.external_subnets.find((one) => inNet(one.subnet, destination))
        const instanceId = owner
          ? owner.instance_id
          : owners.length > 0
            ? null
            : subnet?.instance_id
        if (owner || owners.length > 0 || subnet) {
          const primary = rows.interfaces.find(
            ({ instance_id, primary: first }) => instance_id === instanceId && first,
          )
          if (!primary) return undefined
          nic = primary
          if (owner) {
            const to = isV6(destination) ? nic.ipv6 : nic.ipv4
            if (to === null) return undefined
            if (!back) {
              changed.push({
                where: nic.id,
                side: 'destination',
                from: destination,
                to,
                peer: source,
              })
            }
            packet = { source, destination: to }
          }
          place = 'arrives'
          continue
        }
        if (inPool(destination) || unroutable.some((net) => inNet(net, destination)))
          return undefined
        return { nic: null, packet }
      }
      if (!up(nic!)) return undefined
      const use = mayUse(nic!, destination)
      if (!use || !filter('inbound', source, inside)) return undefined
      const leadsOn =
        inVpc(nic!.vpc_id, destination) ||
        inPool(destination) ||
        !unroutable.some((net) => inNet(net, destination))
      if (use !== 'transit' || !leadsOn) return { nic: nic!.id, packet }
      const v6 = isV6(destination)
      const able = rows.interfaces.filter(
        (one) => one.instance_id === nic!.instance_id && (v6 ? one.ipv6 : one.ipv4) !== null,
      )
      nic =
        able.find((one) => inSubnet(one.subnet_id, destination)) ??
        able.find(({ primary }) => primary) ??
        able[0] ??
        nic!
      place = 'leaves'
    }
  }

  const no = { arrives: false, reachable: false }
  if (start.nic !== null) {
    const nic = nicById(start.nic)
    if (!up(nic)) return no
    const own = rows.interfaces.filter(({ instance_id }) => instance_id === nic.instance_id)
    if (own.some((one) => hasAddress(one, start.destination)))
      return { arrives: true, reachable: true }
  }
  const { source, destination } = start
  const end = run({ nic: start.nic, packet: { source, destination } }, traffic, false)
  if (!end) return no
  const { protocol } = traffic
  const isEcho = traffic.type === (protocol === 'icmp' ? 8 : 128)
  if (traffic.type !== undefined && !isEcho) return { arrives: true, reachable: true }
  const answer: NaiveTraffic =
    traffic.type === undefined
      ? { protocol, port: 49_152 }
      : { protocol, type: protocol === 'icmp' ? 0 : 129, code: 0 }
  const home = run(
    { nic: end.nic, packet: { source: end.packet.destination, destination: end.packet.source } },
    answer,
    true,
  )
  const instanceIdOf = (id: string | null) => (id === null ? null : nicById(id).instance_id)
  const reachable =
    home !== undefined &&
    instanceIdOf(home.nic) === instanceIdOf(start.nic) &&
    same(home.packet.source, destination) &&
    same(home.packet.destination, source)
  return { arrives: true, reachable }
}
