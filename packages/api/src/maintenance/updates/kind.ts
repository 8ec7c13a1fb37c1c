import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** The target release of the system, and the progress of the update. */
export const system_update = {
  resource: 'updates',
  access: operating,
  parent: 'fleet',
  reads: [
    'issue_list',
    'system_update_status',
    'target_release_view',
    'update_rollout_view',
    'update_preview',
  ],
} as const satisfies Kind
