import type { Identity, SoftDeleted } from '../../kernel/db/schema.ts'

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

declare module '../../kernel/db/schema.ts' {
  interface Database {
    vpc_router: VpcRouterTable
    router_route: RouterRouteTable
  }
}
