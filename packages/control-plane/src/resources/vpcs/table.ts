import type { Identity, SoftDeleted } from '../../kernel/db/schema.ts'

export interface VpcTable extends Identity, SoftDeleted {
  project_id: string
  system_router_id: string
  ipv6_prefix: string
  dns_name: string
  /** Virtual network identifier, 24 bits. */
  vni: number
}

export interface VpcRouterTable extends Identity, SoftDeleted {
  vpc_id: string
  kind: 'system' | 'custom'
}

export interface RouterRouteTable extends Identity, SoftDeleted {
  vpc_router_id: string
  kind: 'default' | 'vpc_subnet' | 'vpc_peering' | 'custom'
  /** JSON `{type, value}`. */
  target: string
  /** JSON `{type, value}`. */
  destination: string
}

export interface InternetGatewayTable extends Identity, SoftDeleted {
  vpc_id: string
}

export interface InternetGatewayIpPoolTable extends Identity, SoftDeleted {
  internet_gateway_id: string
  ip_pool_id: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    vpc: VpcTable
    vpc_router: VpcRouterTable
    router_route: RouterRouteTable
    internet_gateway: InternetGatewayTable
    internet_gateway_ip_pool: InternetGatewayIpPoolTable
  }
}
