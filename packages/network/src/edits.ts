/** Applies a planned change to the rows of a network. */
import { guestRange, parseNetwork } from '@steading/api/rules'
import { addressOf } from './ranges.ts'
import type {
  ExternalIpRow,
  ExternalSubnetRow,
  GatewayRow,
  InstanceRow,
  InterfaceRow,
  NetworkRows,
  RouteRow,
  RuleRow,
  SubnetRow,
} from './rows.ts'

export type NetworkEdit =
  | { type: 'replace_rules'; vpcId: string; rules: RuleRow[] }
  | { type: 'add_route'; route: RouteRow }
  | { type: 'change_route'; id: string; to: Pick<RouteRow, 'name' | 'destination' | 'target'> }
  | { type: 'remove_route'; id: string }
  | { type: 'set_router'; subnetId: string; routerId: string | null }
  | { type: 'remove_router'; id: string }
  /** The first interface of an instance becomes its primary one. */
  | { type: 'add_interface'; instance: InstanceRow; interface: InterfaceRow }
  | { type: 'change_interface'; id: string; primary: boolean; transitIps: string[] }
  | { type: 'remove_interface'; id: string }
  | { type: 'attach_external_ip'; externalIp: ExternalIpRow }
  | { type: 'detach_external_ip'; id: string }
  | { type: 'attach_external_subnet'; externalSubnet: ExternalSubnetRow }
  | { type: 'detach_external_subnet'; id: string }
  | { type: 'change_gateway'; id: string; to: Pick<GatewayRow, 'ip_pool_ids' | 'addresses'> }
  /** Also removes the routes to it. */
  | { type: 'remove_gateway'; id: string }

const changed = <T extends { id: string }>(rows: readonly T[], id: string, to: Partial<T>): T[] =>
  rows.map((row) => (row.id === id ? { ...row, ...to } : row))

const without = <T extends { id: string }>(rows: readonly T[], id: string): T[] =>
  rows.filter((row) => row.id !== id)

/** The rows with one added or replaced. */
const withRow = <T extends { id: string }>(rows: readonly T[], row: T): T[] => [
  ...without(rows, row.id),
  row,
]

function withoutGateway(rows: NetworkRows, id: string): NetworkRows {
  const gateway = rows.internet_gateways.find((one) => one.id === id)
  const routers = new Set(
    rows.routers.filter(({ vpc_id }) => vpc_id === gateway?.vpc_id).map((router) => router.id),
  )
  const leadsThere = ({ vpc_router_id, target }: RouteRow): boolean =>
    routers.has(vpc_router_id) &&
    target.type === 'internet_gateway' &&
    target.value === gateway?.name
  return {
    ...rows,
    internet_gateways: without(rows.internet_gateways, id),
    routes: rows.routes.filter((route) => !leadsThere(route)),
  }
}

/** The rows after a change. */
export function edited(rows: NetworkRows, edit: NetworkEdit): NetworkRows {
  switch (edit.type) {
    case 'replace_rules': {
      const others = rows.firewall_rules.filter(({ vpc_id }) => vpc_id !== edit.vpcId)
      return { ...rows, firewall_rules: [...others, ...edit.rules] }
    }
    case 'add_route':
      return { ...rows, routes: [...rows.routes, edit.route] }
    case 'change_route':
      return { ...rows, routes: changed(rows.routes, edit.id, edit.to) }
    case 'remove_route':
      return { ...rows, routes: without(rows.routes, edit.id) }
    case 'set_router': {
      const to = { custom_router_id: edit.routerId }
      return { ...rows, subnets: changed(rows.subnets, edit.subnetId, to) }
    }
    case 'remove_router':
      return {
        ...rows,
        routers: without(rows.routers, edit.id),
        routes: rows.routes.filter(({ vpc_router_id }) => vpc_router_id !== edit.id),
        subnets: rows.subnets.map((subnet) =>
          subnet.custom_router_id === edit.id ? { ...subnet, custom_router_id: null } : subnet,
        ),
      }
    case 'add_interface': {
      const { instance } = edit
      const primary = !rows.interfaces.some(({ instance_id }) => instance_id === instance.id)
      return {
        ...rows,
        instances: withRow(rows.instances, instance),
        interfaces: [...rows.interfaces, { ...edit.interface, primary }],
      }
    }
    case 'change_interface': {
      const owner = rows.interfaces.find(({ id }) => id === edit.id)?.instance_id
      return {
        ...rows,
        interfaces: rows.interfaces.map((nic) => {
          if (nic.id === edit.id) {
            return { ...nic, transit_ips: edit.transitIps, primary: nic.primary || edit.primary }
          }
          return edit.primary && nic.instance_id === owner ? { ...nic, primary: false } : nic
        }),
      }
    }
    case 'remove_interface':
      return { ...rows, interfaces: without(rows.interfaces, edit.id) }
    case 'attach_external_ip':
      return { ...rows, external_ips: withRow(rows.external_ips, edit.externalIp) }
    case 'detach_external_ip':
      return { ...rows, external_ips: changed(rows.external_ips, edit.id, { instance_id: null }) }
    case 'attach_external_subnet':
      return { ...rows, external_subnets: withRow(rows.external_subnets, edit.externalSubnet) }
    case 'detach_external_subnet': {
      const to = { instance_id: null }
      return { ...rows, external_subnets: changed(rows.external_subnets, edit.id, to) }
    }
    case 'change_gateway':
      return { ...rows, internet_gateways: changed(rows.internet_gateways, edit.id, edit.to) }
    case 'remove_gateway':
      return withoutGateway(rows, edit.id)
  }
}

/** Value of a block's lowest address that no interface of the subnet has. */
export function lowestFreeAddress(
  { interfaces }: NetworkRows,
  { id, ipv4_block, ipv6_block }: SubnetRow,
  version: 'v4' | 'v6',
): bigint | undefined {
  const column = version === 'v4' ? 'ipv4' : 'ipv6'
  const { first, last } = guestRange(parseNetwork(version === 'v4' ? ipv4_block : ipv6_block)!)
  const taken = new Set(
    interfaces.flatMap((nic) =>
      nic.subnet_id === id && nic[column] !== null ? [addressOf(nic[column]).value] : [],
    ),
  )
  for (let value = first; value <= last; value++) if (!taken.has(value)) return value
  return undefined
}
