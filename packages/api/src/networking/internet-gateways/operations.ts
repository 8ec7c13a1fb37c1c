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
    list: {},
    search: { pages: ListedInternetGateway },
    create: { body: InternetGatewayCreate },
    view: {},
    delete: { query: cascade },
    deletion: { summary: 'Preview the deletion of an internet gateway with its attachments' },
  }),
  ...usual('internet_gateway_ip_pool', {
    item: InternetGatewayIpPool,
    path: '/v1/internet-gateway-ip-pools/{pool}',
    tag: 'vpcs',
    selectors: ['project', 'vpc', 'gateway'],
  })({
    list: { summary: 'List the IP pools that are attached to an internet gateway' },
    create: {
      summary: 'Attach an IP pool to an internet gateway',
      permission: { internet_gateway: 'create', ip_pool: 'read' },
      body: InternetGatewayIpPoolCreate,
    },
    delete: { summary: 'Detach an IP pool from an internet gateway', query: cascade },
  }),
  ...usual('internet_gateway_ip_address', {
    item: InternetGatewayIpAddress,
    path: '/v1/internet-gateway-ip-addresses/{address}',
    tag: 'vpcs',
    selectors: ['project', 'vpc', 'gateway'],
  })({
    list: { summary: 'List the IP addresses that are attached to an internet gateway' },
    create: {
      summary: 'Attach an IP address to an internet gateway',
      body: InternetGatewayIpAddressCreate,
    },
    delete: { summary: 'Detach an IP address from an internet gateway', query: cascade },
  }),
}
