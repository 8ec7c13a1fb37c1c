import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
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

export const internetGatewayTables: StoredTables = {
  internet_gateway: {
    marked: true,
    within: { vpc_id: 'vpc' },
    names: { internet_gateway_name: kinds.internet_gateway.type },
  },
  internet_gateway_ip_pool: {
    marked: true,
    within: { internet_gateway_id: 'internet_gateway' },
    origins: { ip_pool_id: 'ip_pool' },
    names: { internet_gateway_ip_pool_name: kinds.internet_gateway_ip_pool.type },
  },
  internet_gateway_ip_address: {
    marked: true,
    within: { internet_gateway_id: 'internet_gateway' },
    names: { internet_gateway_ip_address_name: kinds.internet_gateway_ip_address.type },
  },
}
