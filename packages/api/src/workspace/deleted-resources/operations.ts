import type { Operation } from '../../operation.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { restorableKinds } from './rules.ts'
import {
  DeletedResource,
  DeletedResourceDetails,
  DeletedResourceRestore,
  DeletionPolicy,
  DeletionPolicyUpdate,
  RestoredResource,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const tags = ['extensions']
const policy = '/x/v1/deletion-policy'

export const deletedResourceOperations = {
  ...usual('deleted_resource', {
    item: DeletedResourceDetails,
    path: '/x/v1/deleted-resources/{deleted_resource}',
    selectors: [],
    params: { deleted_resource: uuid },
  })({
    search: {
      summary: 'Search, filter and sort the deleted resources of a project that can be restored',
      query: { project: NameOrId.optional() },
      required: ['project'],
      pages: DeletedResource,
      items: 'DeletedResource',
      allColumns: ['time_deleted', 'name', 'natural_name', 'time_expires', 'size', 'user_name'],
      filters: { kind: restorableKinds },
    },
    view: { summary: 'Show a deleted resource, what returns with it, and what is in the way' },
    restore: {
      summary: 'Restore a deleted resource with its parts',
      body: DeletedResourceRestore,
      success: { status: 200, schema: RestoredResource },
    },
    delete: { summary: 'Delete a deleted resource permanently, which frees its storage' },
  }),
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
