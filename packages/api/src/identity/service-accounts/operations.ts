import { NameOrId, uuid } from '../../schema.ts'
import { AccessTokenCreate, AccessTokenDetails, NewAccessToken } from '../access-tokens/schemas.ts'
import { ServiceAccount, ServiceAccountCreate, ServiceAccountUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Without a project, the service accounts of the caller's silo. */
const project = NameOrId.optional()

const read = { service_account: 'read', silo_service_account: 'read' } as const
const modify = { service_account: 'modify', silo_service_account: 'modify' } as const

export const serviceAccountOperations = usual('service_account', {
  item: ServiceAccount,
  path: '/x/v1/service-accounts/{service_account}',
  selectors: [],
  params: { service_account: uuid },
})({
  service_account_search: {
    summary:
      'Search, filter and sort the service accounts of a project, or of the silo if no project is given',
    permission: { project: 'read', service_account: 'list', silo_service_account: 'list' },
    query: { project },
  },
  service_account_create: {
    summary: 'Create a service account in a project or in the silo',
    permission: { project: 'read', service_account: 'create', silo_service_account: 'create' },
    query: { project },
    body: ServiceAccountCreate,
    changes: ['silo_user'],
  },
  service_account_view: { permission: read },
  service_account_update: { permission: modify, body: ServiceAccountUpdate },
  service_account_delete: {
    summary: 'Delete a service account with its tokens and roles',
    permission: modify,
    changes: ['silo_user'],
  },
  service_account_token_list: {
    route: 'GET access-tokens',
    summary: 'List the access tokens of a service account',
    permission: read,
    pages: AccessTokenDetails,
    sort: 'time_and_id',
    live: true,
  },
  service_account_token_create: {
    route: 'POST access-tokens',
    summary: 'Create an access token of a service account',
    permission: { ...modify, project: 'read' },
    body: AccessTokenCreate,
    success: { status: 201, schema: NewAccessToken },
    changes: ['access_token'],
  },
  service_account_token_delete: {
    route: 'DELETE access-tokens/{token_id}',
    summary: 'Revoke an access token of a service account',
    permission: modify,
    changes: ['access_token'],
  },
})
