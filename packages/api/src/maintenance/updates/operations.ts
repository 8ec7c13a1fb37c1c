import { SystemVersion } from '../update-repositories/schemas.ts'
import {
  SetTargetReleaseParams,
  TargetRelease,
  UpdatePreview,
  UpdateRollout,
  UpdateStatus,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const updates = { id: 'system_update', path: '/v1/system/update', tag: 'system/update' } as const
const modify = {
  permission: { fleet: 'modify', update_repository: 'read' },
  audited: { kind: 'system_update', name: 'system_version' },
  body: SetTargetReleaseParams,
  success: { status: 204 },
} as const

export const updateOperations = {
  ...usual(
    'fleet',
    updates,
  )({
    status: {
      route: 'GET status',
      summary: 'Show the progress of the system towards the target release',
      live: true,
      answer: UpdateStatus,
    },
  }),
  ...usual('fleet', {
    item: TargetRelease,
    id: 'target_release',
    path: '/v1/system/update/target-release',
    tag: 'hidden',
  })({
    view: { summary: 'Show the target release' },
    update: {
      tags: ['system/update'],
      summary: 'Start updating the system to a release',
      ...modify,
    },
  }),
  ...usual(
    'fleet',
    updates,
  )({
    recovery_finish: {
      route: 'PUT recovery-finish',
      summary: 'Resume updates after support has recovered the system to a release',
      ...modify,
    },
  }),
  ...usual('fleet', { ...updates, id: 'update' })({
    rollout_view: {
      route: 'GET rollout',
      extension: true,
      summary: 'Show the update of each sled and switch, and the reason if it is stuck',
      answer: UpdateRollout,
    },
    preview: {
      route: 'GET preview',
      extension: true,
      summary: 'Preview an update to a release',
      permission: { fleet: 'read', update_repository: 'read' },
      query: { system_version: SystemVersion },
      transaction: 'snapshot',
      answer: UpdatePreview,
    },
  }),
}
