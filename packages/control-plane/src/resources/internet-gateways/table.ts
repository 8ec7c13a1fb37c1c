import type { Identity, SoftDeleted } from '../../kernel/db/schema.ts'

export interface InternetGatewayTable extends Identity, SoftDeleted {
  vpc_id: string
}

export interface InternetGatewayIpPoolTable extends Identity, SoftDeleted {
  internet_gateway_id: string
  ip_pool_id: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    internet_gateway: InternetGatewayTable
    internet_gateway_ip_pool: InternetGatewayIpPoolTable
  }
}
