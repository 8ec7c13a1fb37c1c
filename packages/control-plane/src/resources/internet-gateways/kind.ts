import { storeTable } from '../../kernel/db/tables.ts'
import './table.ts'

storeTable('internet_gateway', {
  marked: true,
  within: { vpc_id: 'vpc' },
  names: { internet_gateway_name: 'internet-gateway' },
})

storeTable('internet_gateway_ip_pool', {
  marked: true,
  within: { internet_gateway_id: 'internet_gateway' },
  origins: { ip_pool_id: 'ip_pool' },
  names: { internet_gateway_ip_pool_name: 'internet-gateway-ip-pool' },
})
