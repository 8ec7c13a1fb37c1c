import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

/** A deleted resource of a project that can be restored for some time. */
export const deleted_resource = {
  access: computing,
  parent: 'project',
  listed: true,
  reads: ['deleted_resource_search', 'deletion_policy_view', 'project_deletion'],
  bulk: ['restore', 'delete'],
  // Restoring is impossible from then on.
  deletion: { after: [], cascades: [], holdsData: true },
} as const satisfies Kind
