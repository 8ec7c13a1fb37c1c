import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uuid } from '../../schema.ts'
import { RootRole, UpdatesTrustRoot, UpdatesTrustRootResultsPage } from './schemas.ts'

const tags = ['system/update']
const path = '/v1/system/update/trust-roots'
const params = { trust_root_id: uuid }

export const trustRootOperations = {
  system_update_trust_root_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List trust roots of updates',
    permission: { trust_root: 'list' },
    ...paged('id'),
    success: { status: 200, schema: UpdatesTrustRootResultsPage },
  },
  system_update_trust_root_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Add a trust root for update repositories',
    permission: { trust_root: 'create' },
    audited: { kind: 'trust_root' },
    body: RootRole,
    success: { status: 201, schema: UpdatesTrustRoot },
  },
  system_update_trust_root_view: {
    method: 'GET',
    path: `${path}/{trust_root_id}`,
    tags,
    summary: 'Show a trust root',
    permission: { trust_root: 'read' },
    params,
    success: { status: 200, schema: UpdatesTrustRoot },
  },
  system_update_trust_root_delete: {
    method: 'DELETE',
    path: `${path}/{trust_root_id}`,
    tags,
    summary: 'Remove a trust root',
    permission: { trust_root: 'modify' },
    params,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
