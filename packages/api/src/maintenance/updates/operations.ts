import { SystemVersion } from '../update-repositories/schemas.ts'
import {
  SetTargetReleaseParams,
  TargetRelease,
  UpdatePreview,
  UpdateRollout,
  UpdateStatus,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const modify = {
  permission: { fleet: 'modify', update_repository: 'read' },
  audited: { kind: 'system_update', name: 'system_version' },
  body: SetTargetReleaseParams,
  success: { status: 204 },
} as const

export const updateOperations = usual('fleet', {
  id: 'target_release',
  item: TargetRelease,
  path: '/v1/system/update/target-release',
  tag: 'system/update',
})({
  system_update_status: {
    route: 'GET /v1/system/update/status',
    summary: 'Show the progress of the system towards the target release',
    live: true,
    answer: UpdateStatus,
  },
  target_release_view: { tags: ['hidden'], summary: 'Show the target release' },
  target_release_update: {
    summary: 'Start updating the system to a release',
    ...modify,
    changes: ['system_update'],
  },
  system_update_recovery_finish: {
    route: 'PUT /v1/system/update/recovery-finish',
    summary: 'Resume updates after support has recovered the system to a release',
    ...modify,
    changes: ['system_update'],
  },
  update_rollout_view: {
    route: 'GET /x/v1/system/update/rollout',
    summary: 'Show the update of each sled and switch, and the reason if it is stuck',
    answer: UpdateRollout,
  },
  update_preview: {
    route: 'GET /x/v1/system/update/preview',
    summary: 'Preview an update to a release',
    permission: { fleet: 'read', update_repository: 'read' },
    query: { system_version: SystemVersion },
    transaction: 'snapshot',
    answer: UpdatePreview,
  },
})
