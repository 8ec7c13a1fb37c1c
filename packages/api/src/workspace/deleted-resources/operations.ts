import type { Operation } from '../../operation.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { restorableKinds } from './rules.ts'
import {
  DeletedResource,
  DeletedResourceDetails,
  DeletedResourceRestore,
  DeletionPolicy,
  DeletionPolicyUpdate,
  RestoredResource,
} from './schemas.ts'

const tags = ['extensions']
const params = { deleted_resource: uuid }
const one = '/x/v1/deleted-resources/{deleted_resource}'
const policy = '/x/v1/deletion-policy'

export const deletedResourceOperations = {
  deleted_resource_search: searched({
    kind: 'DeletedResource',
    item: DeletedResource,
    plain: {
      path: '/v1/deleted-resources',
      summary: 'List the deleted resources of a project that can be restored',
      permission: { project: 'list' },
      scan: { sort: 'column', modes: [], required: ['project'] },
    },
    columns: ['time_deleted', 'name', 'natural_name', 'time_expires', 'size', 'user_name'],
    filters: { kind: restorableKinds },
    selectors: { project: NameOrId.optional() },
  }),
  deleted_resource_view: {
    method: 'GET',
    path: one,
    tags,
    summary: 'Show a deleted resource, what returns with it, and what is in the way',
    permission: { deleted_resource: 'read' },
    params,
    success: { status: 200, schema: DeletedResourceDetails },
  },
  deleted_resource_restore: {
    method: 'POST',
    path: `${one}/restore`,
    tags,
    summary: 'Restore a deleted resource with its parts',
    permission: { deleted_resource: 'modify' },
    params,
    body: DeletedResourceRestore,
    success: { status: 200, schema: RestoredResource },
  },
  deleted_resource_delete: {
    method: 'DELETE',
    path: one,
    tags,
    summary: 'Delete a deleted resource permanently, which frees its storage',
    permission: { deleted_resource: 'modify' },
    params,
    success: { status: 204 },
  },
  deletion_policy_view: {
    method: 'GET',
    path: policy,
    tags,
    summary: "Show for how long deleted resources of the caller's silo can be restored",
    permission: { silo: 'read' },
    success: { status: 200, schema: DeletionPolicy },
  },
  deletion_policy_update: {
    method: 'PUT',
    path: policy,
    tags,
    summary: 'Change for how long resources deleted from now on can be restored',
    permission: { silo: 'modify' },
    body: DeletionPolicyUpdate,
    versioned: 'deletion_policy',
    success: { status: 200, schema: DeletionPolicy },
  },
} as const satisfies Record<string, Operation>
