import { boolean } from '../../schema.ts'
import {
  InternetGateway,
  InternetGatewayCreate,
  InternetGatewayIpAddress,
  InternetGatewayIpAddressCreate,
  InternetGatewayIpPool,
  InternetGatewayIpPoolCreate,
  ListedInternetGateway,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Whether to delete the dependents of a resource as well. */
const cascade = { cascade: boolean.optional() }

export const internetGatewayOperations = {
  ...usual('internet_gateway', {
    item: InternetGateway,
    path: '/v1/internet-gateways/{gateway}',
    tag: 'vpcs',
  })({
    internet_gateway_list: {},
    internet_gateway_search: { pages: ListedInternetGateway },
    internet_gateway_create: { body: InternetGatewayCreate },
    internet_gateway_view: {},
    internet_gateway_delete: { query: cascade, changes: ['router_route'] },
    internet_gateway_deletion: {
      summary: 'Preview the deletion of an internet gateway with its attachments',
    },
  }),
  ...usual('internet_gateway_ip_pool', {
    item: InternetGatewayIpPool,
    path: '/v1/internet-gateway-ip-pools/{pool}',
    tag: 'vpcs',
    selectors: ['project', 'vpc', 'gateway'],
  })({
    internet_gateway_ip_pool_list: {
      summary: 'List the IP pools that are attached to an internet gateway',
    },
    internet_gateway_ip_pool_create: {
      summary: 'Attach an IP pool to an internet gateway',
      permission: { internet_gateway: 'create', ip_pool: 'read' },
      body: InternetGatewayIpPoolCreate,
    },
    internet_gateway_ip_pool_delete: {
      summary: 'Detach an IP pool from an internet gateway',
      query: cascade,
    },
  }),
  ...usual('internet_gateway_ip_address', {
    item: InternetGatewayIpAddress,
    path: '/v1/internet-gateway-ip-addresses/{address}',
    tag: 'vpcs',
    selectors: ['project', 'vpc', 'gateway'],
  })({
    internet_gateway_ip_address_list: {
      summary: 'List the IP addresses that are attached to an internet gateway',
    },
    internet_gateway_ip_address_create: {
      summary: 'Attach an IP address to an internet gateway',
      body: InternetGatewayIpAddressCreate,
    },
    internet_gateway_ip_address_delete: {
      summary: 'Detach an IP address from an internet gateway',
      query: cascade,
    },
  }),
}
