import type { Identity, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface InternetGatewayTable extends Listed, SoftDeleted {
  vpc_id: string
}

export interface InternetGatewayIpPoolTable extends Identity, SoftDeleted {
  internet_gateway_id: string
  ip_pool_id: string
}

export interface InternetGatewayIpAddressTable extends Identity, SoftDeleted {
  internet_gateway_id: string
  address: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    internet_gateway: InternetGatewayTable
    internet_gateway_ip_pool: InternetGatewayIpPoolTable
    internet_gateway_ip_address: InternetGatewayIpAddressTable
  }
}
