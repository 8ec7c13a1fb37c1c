import { networkReads } from '../reachability/rules.ts'
import { networking } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

export const internet_gateway = {
  access: networking,
  parent: 'vpc',
  selectors: {
    both: 'when providing gateway as an ID vpc and project should not be specified',
    neither: 'gateway should either be an ID or vpc should be specified',
  },
  listed: true,
  reads: [
    'vpc_deletion',
    'internet_gateway_ip_pool_list',
    'internet_gateway_ip_address_list',
    ...networkReads,
  ],
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
} as const satisfies Kind

export const internet_gateway_ip_pool = {
  words: 'gateway IP pool',
  access: networking,
  parent: 'internet_gateway',
  selectors: {
    both: 'when providing pool as an ID gateway, subnet, vpc, and project should not be specified',
    neither: 'pool should either be an ID or gateway should be specified',
  },
  reads: ['internet_gateway_list', 'internet_gateway_deletion', ...networkReads],
} as const satisfies Kind

export const internet_gateway_ip_address = {
  words: 'gateway IP address',
  resource: 'internet-gateway-ip-addresses',
  access: networking,
  parent: 'internet_gateway',
  selectors: {
    both: 'when providing address as an ID gateway, subnet, vpc, and project should not be specified',
    neither: 'address should either be an ID or gateway should be specified',
  },
  reads: ['internet_gateway_list', 'internet_gateway_deletion', ...networkReads],
} as const satisfies Kind
