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
    summary: 'Show how far the system is on its way to the target release',
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
    summary: 'Begin to update the system to a release',
    ...modify,
  },
  system_update_recovery_finish: {
    method: 'PUT',
    path: `${path}/recovery-finish`,
    tags,
    summary: 'Go on with updates after support has recovered the system to a release',
    ...modify,
  },
  update_rollout_view: {
    method: 'GET',
    path: `/x${path}/rollout`,
    tags: ['extensions'],
    summary: 'Show the update of each sled and switch, and what keeps it from going on',
    permission,
    success: { status: 200, schema: UpdateRollout },
  },
  update_preview: {
    method: 'GET',
    path: `/x${path}/preview`,
    tags: ['extensions'],
    summary: 'Tell what would happen if a release became the target',
    permission: { ...permission, update_repository: 'read' },
    query: { system_version: SystemVersion },
    transaction: 'snapshot',
    success: { status: 200, schema: UpdatePreview },
  },
} as const satisfies Record<string, Operation>
