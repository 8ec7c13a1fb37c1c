import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { boolean, NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  InternetGateway,
  InternetGatewayCreate,
  InternetGatewayIpAddress,
  InternetGatewayIpAddressCreate,
  InternetGatewayIpAddressResultsPage,
  InternetGatewayIpPool,
  InternetGatewayIpPoolCreate,
  InternetGatewayIpPoolResultsPage,
  InternetGatewayResultsPage,
  ListedInternetGateway,
} from './schemas.ts'

const tags = ['vpcs']
const inVpc = { project: NameOrId.optional(), vpc: NameOrId.optional() }
const inGateway = { ...inVpc, gateway: NameOrId.optional() }
/** Whether to delete the dependents of a resource as well. */
const cascade = { cascade: boolean.optional() }

const internet_gateway_list = {
  method: 'GET',
  path: '/v1/internet-gateways',
  tags,
  summary: 'List the internet gateways of a VPC',
  permission: { vpc: 'list' },
  ...paged('name_or_id', inVpc, ['vpc']),
  success: { status: 200, schema: InternetGatewayResultsPage },
} as const satisfies Operation

export const internetGatewayOperations = {
  internet_gateway_list,
  internet_gateway_search: searched({
    kind: 'InternetGateway',
    item: ListedInternetGateway,
    plain: internet_gateway_list,
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: {},
    selectors: inVpc,
  }),
  internet_gateway_create: {
    method: 'POST',
    path: '/v1/internet-gateways',
    tags,
    summary: 'Create an internet gateway',
    permission: { vpc: 'create' },
    query: { project: NameOrId.optional(), vpc: NameOrId },
    body: InternetGatewayCreate,
    success: { status: 201, schema: InternetGateway },
  },
  internet_gateway_view: {
    method: 'GET',
    path: '/v1/internet-gateways/{gateway}',
    tags,
    summary: 'Show an internet gateway',
    permission: { internet_gateway: 'read' },
    params: { gateway: NameOrId },
    query: inVpc,
    success: { status: 200, schema: InternetGateway },
  },
  internet_gateway_delete: {
    method: 'DELETE',
    path: '/v1/internet-gateways/{gateway}',
    tags,
    summary: 'Delete an internet gateway',
    permission: { internet_gateway: 'modify' },
    params: { gateway: NameOrId },
    query: { ...inVpc, ...cascade },
    success: { status: 204 },
  },
  internet_gateway_deletion: {
    method: 'GET',
    path: '/x/v1/internet-gateways/{gateway}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of an internet gateway with its attachments',
    permission: { internet_gateway: 'read' },
    params: { gateway: NameOrId },
    query: inVpc,
    success: { status: 200, schema: Deletion },
  },
  internet_gateway_ip_pool_list: {
    method: 'GET',
    path: '/v1/internet-gateway-ip-pools',
    tags,
    summary: 'List the IP pools that are attached to an internet gateway',
    permission: { internet_gateway: 'list' },
    ...paged('name_or_id', inGateway, ['gateway']),
    success: { status: 200, schema: InternetGatewayIpPoolResultsPage },
  },
  internet_gateway_ip_pool_create: {
    method: 'POST',
    path: '/v1/internet-gateway-ip-pools',
    tags,
    summary: 'Attach an IP pool to an internet gateway',
    permission: { internet_gateway: 'create', ip_pool: 'read' },
    query: { ...inVpc, gateway: NameOrId },
    body: InternetGatewayIpPoolCreate,
    success: { status: 201, schema: InternetGatewayIpPool },
  },
  internet_gateway_ip_pool_delete: {
    method: 'DELETE',
    path: '/v1/internet-gateway-ip-pools/{pool}',
    tags,
    summary: 'Detach an IP pool from an internet gateway',
    permission: { internet_gateway_ip_pool: 'modify' },
    params: { pool: NameOrId },
    query: { ...inGateway, ...cascade },
    success: { status: 204 },
  },
  internet_gateway_ip_address_list: {
    method: 'GET',
    path: '/v1/internet-gateway-ip-addresses',
    tags,
    summary: 'List the IP addresses that are attached to an internet gateway',
    permission: { internet_gateway: 'list' },
    ...paged('name_or_id', inGateway, ['gateway']),
    success: { status: 200, schema: InternetGatewayIpAddressResultsPage },
  },
  internet_gateway_ip_address_create: {
    method: 'POST',
    path: '/v1/internet-gateway-ip-addresses',
    tags,
    summary: 'Attach an IP address to an internet gateway',
    permission: { internet_gateway: 'create' },
    query: { ...inVpc, gateway: NameOrId },
    body: InternetGatewayIpAddressCreate,
    success: { status: 201, schema: InternetGatewayIpAddress },
  },
  internet_gateway_ip_address_delete: {
    method: 'DELETE',
    path: '/v1/internet-gateway-ip-addresses/{address}',
    tags,
    summary: 'Detach an IP address from an internet gateway',
    permission: { internet_gateway_ip_address: 'modify' },
    params: { address: NameOrId },
    query: { ...inGateway, ...cascade },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
