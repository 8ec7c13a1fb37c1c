import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

/** A schedule of a project: an action on instances or disks at recurring times. */
export const schedule = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing schedule as an ID project should not be specified',
    neither: 'schedule should either be a UUID or project should be specified',
  },
  listed: true,
  reads: [
    'issue_list',
    'schedule_search',
    'schedule_target_list',
    'schedule_run_list',
    'schedule_run_view',
    'covering_schedule_list',
  ],
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
} as const satisfies Kind
