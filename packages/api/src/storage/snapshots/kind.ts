import { computing } from '../../rules/roles.ts'
import { snapshotCannotDelete, type SnapshotStateName, snapshotStates } from './rules.ts'
import type { Kind } from '../../kinds/kind.ts'

export const snapshot = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing snapshot as an ID, project should not be specified',
    neither: 'snapshot should either be an ID or project should be specified',
  },
  listed: true,
  reads: [
    'issue_list',
    'snapshot_details_view',
    'disk_deletion',
    'project_deletion',
    'utilization_view',
  ],
  bulk: ['delete'],
  deletion: {
    inProject: 'snapshot',
    after: ['disk'],
    cascades: ['image'],
    holdsData: true,
    states: snapshotStates,
    // A snapshot that is being taken leaves that state without a request.
    obstacle({ state }) {
      const reason = snapshotCannotDelete(state as SnapshotStateName)
      return reason ? { reason, steps: [] } : undefined
    },
  },
} as const satisfies Kind
