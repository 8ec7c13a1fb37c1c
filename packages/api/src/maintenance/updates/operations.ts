import type { Operation } from '../../operation.ts'
import { SystemVersion } from '../update-repositories/schemas.ts'
import {
  SetTargetReleaseParams,
  TargetRelease,
  UpdatePreview,
  UpdateRollout,
  UpdateStatus,
} from './schemas.ts'

const tags = ['system/update']
const path = '/v1/system/update'
const permission = { fleet: 'read' } as const
const modify = {
  permission: { fleet: 'modify', update_repository: 'read' },
  audited: { kind: 'system_update', name: 'system_version' },
  body: SetTargetReleaseParams,
  success: { status: 204 },
} as const

export const updateOperations = {
  system_update_status: {
    method: 'GET',
    path: `${path}/status`,
    tags,
    summary: 'Show the progress of the system towards the target release',
    permission,
    live: true,
    success: { status: 200, schema: UpdateStatus },
  },
  target_release_view: {
    method: 'GET',
    path: `${path}/target-release`,
    tags: ['hidden'],
    summary: 'Show the target release',
    permission,
    success: { status: 200, schema: TargetRelease },
  },
  target_release_update: {
    method: 'PUT',
    path: `${path}/target-release`,
    tags,
    summary: 'Start updating the system to a release',
    ...modify,
  },
  system_update_recovery_finish: {
    method: 'PUT',
    path: `${path}/recovery-finish`,
    tags,
    summary: 'Resume updates after support has recovered the system to a release',
    ...modify,
  },
  update_rollout_view: {
    method: 'GET',
    path: `/x${path}/rollout`,
    tags: ['extensions'],
    summary: 'Show the update of each sled and switch, and the reason if it is stuck',
    permission,
    success: { status: 200, schema: UpdateRollout },
  },
  update_preview: {
    method: 'GET',
    path: `/x${path}/preview`,
    tags: ['extensions'],
    summary: 'Preview an update to a release',
    permission: { ...permission, update_repository: 'read' },
    query: { system_version: SystemVersion },
    transaction: 'snapshot',
    success: { status: 200, schema: UpdatePreview },
  },
} as const satisfies Record<string, Operation>
