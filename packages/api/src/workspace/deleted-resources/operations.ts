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

export const deletedResourceOperations = {
  ...usual('deleted_resource', {
    item: DeletedResourceDetails,
    path: '/x/v1/deleted-resources/{deleted_resource}',
    selectors: [],
    params: { deleted_resource: uuid },
  })({
    deleted_resource_search: {
      summary: 'Search, filter and sort the deleted resources of a project that can be restored',
      query: { project: NameOrId.optional() },
      required: ['project'],
      pages: DeletedResource,
      items: 'DeletedResource',
      allColumns: ['time_deleted', 'name', 'natural_name', 'time_expires', 'size', 'user_name'],
      filters: { kind: restorableKinds },
    },
    deleted_resource_view: {
      summary: 'Show a deleted resource, what returns with it, and what is in the way',
    },
    deleted_resource_restore: {
      summary: 'Restore a deleted resource with its parts',
      body: DeletedResourceRestore,
      success: { status: 200, schema: RestoredResource },
      changes: restorableKinds,
    },
    deleted_resource_delete: {
      summary: 'Delete a deleted resource permanently',
    },
  }),
  ...usual('silo', {
    item: DeletionPolicy,
    id: 'deletion_policy',
    path: '/x/v1/deletion-policy',
  })({
    deletion_policy_view: {
      summary: "Show for how long deleted resources of the caller's silo can be restored",
    },
    deletion_policy_update: {
      summary: 'Change for how long resources deleted from now on can be restored',
      body: DeletionPolicyUpdate,
      versioned: 'deletion_policy',
    },
  }),
}
