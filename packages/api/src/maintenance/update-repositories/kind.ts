import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A repository with the software of a release. */
export const update_repository = {
  type: 'tuf-repo',
  words: 'release',
  resource: 'update-repositories',
  access: operating,
  parent: 'fleet',
  reads: [
    'system_update_repository_list',
    'system_update_repository_view',
    'system_update_status',
    'update_rollout_view',
  ],
} as const satisfies Kind

/** A resumable upload of a repository. */
export const update_upload = {
  words: 'upload of a release',
  access: operating,
  parent: 'fleet',
} as const satisfies Kind
