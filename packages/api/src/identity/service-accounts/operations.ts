import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  AccessTokenCreate,
  AccessTokenDetailsResultsPage,
  NewAccessToken,
} from '../access-tokens/schemas.ts'
import { ServiceAccount, ServiceAccountCreate, ServiceAccountUpdate } from './schemas.ts'

const tags = ['extensions']
const params = { service_account: uuid }
/** Without a project, the service accounts of the caller's silo. */
const project = NameOrId.optional()

const read = { service_account: 'read', silo_service_account: 'read' } as const
const modify = { service_account: 'modify', silo_service_account: 'modify' } as const

export const serviceAccountOperations = {
  service_account_search: searched({
    kind: 'ServiceAccount',
    item: ServiceAccount,
    plain: {
      path: '/v1/service-accounts',
      summary: 'List the service accounts of a project, or of the silo if no project is given',
      permission: { project: 'read', service_account: 'list', silo_service_account: 'list' },
      scan: { sort: 'column', modes: [], required: [] },
    },
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: {},
    selectors: { project },
  }),
  service_account_create: {
    method: 'POST',
    path: '/x/v1/service-accounts',
    tags,
    summary: 'Create a service account in a project or in the silo',
    permission: { project: 'read', service_account: 'create', silo_service_account: 'create' },
    query: { project },
    body: ServiceAccountCreate,
    success: { status: 201, schema: ServiceAccount },
  },
  service_account_view: {
    method: 'GET',
    path: '/x/v1/service-accounts/{service_account}',
    tags,
    summary: 'Show a service account',
    permission: read,
    params,
    success: { status: 200, schema: ServiceAccount },
  },
  service_account_update: {
    method: 'PUT',
    path: '/x/v1/service-accounts/{service_account}',
    tags,
    summary: 'Rename or describe a service account',
    permission: modify,
    params,
    body: ServiceAccountUpdate,
    success: { status: 200, schema: ServiceAccount },
  },
  service_account_delete: {
    method: 'DELETE',
    path: '/x/v1/service-accounts/{service_account}',
    tags,
    summary: 'Delete a service account with its tokens and roles',
    permission: modify,
    params,
    success: { status: 204 },
  },
  service_account_token_list: {
    method: 'GET',
    path: '/x/v1/service-accounts/{service_account}/access-tokens',
    tags,
    summary: 'List the access tokens of a service account',
    permission: read,
    params,
    ...paged('time_and_id'),
    live: true,
    success: { status: 200, schema: AccessTokenDetailsResultsPage },
  },
  service_account_token_create: {
    method: 'POST',
    path: '/x/v1/service-accounts/{service_account}/access-tokens',
    tags,
    summary: 'Create an access token of a service account',
    permission: { ...modify, project: 'read' },
    params,
    body: AccessTokenCreate,
    success: { status: 201, schema: NewAccessToken },
  },
  service_account_token_delete: {
    method: 'DELETE',
    path: '/x/v1/service-accounts/{service_account}/access-tokens/{token_id}',
    tags,
    summary: 'Revoke an access token of a service account',
    permission: modify,
    params: { ...params, token_id: uuid },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
