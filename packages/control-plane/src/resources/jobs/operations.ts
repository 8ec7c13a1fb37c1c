import { type OperationId, operationTable } from '@steading/api'
import {
  type Action,
  errors,
  type JobStep,
  type JobThingKind,
  type ResourceKind,
} from '@steading/api/rules'
import { type Actor, may, type Scope } from '../../kernel/authz/actor.ts'

/** The operation that a step calls; undefined if there is none. */
export function operationOf(step: JobStep, kind: JobThingKind): OperationId | undefined {
  const id = {
    start: `${kind}_start`,
    stop: `${kind}_stop`,
    reboot: `${kind}_reboot`,
    delete: `${kind}_delete`,
    snapshot: 'snapshot_create',
    detach: kind === 'disk' ? 'instance_disk_detach' : `${kind}_detach`,
    stop_import: 'disk_bulk_write_import_stop',
    finalize: 'disk_finalize_import',
  }[step]
  return id in operationTable ? (id as OperationId) : undefined
}

/** Why somebody may not take a step, by the permission of its operation; undefined if they may. */
export function stepForbidden(
  actor: Actor,
  step: JobStep,
  kind: JobThingKind,
  scope: Scope,
): string | undefined {
  const operation = operationOf(step, kind)
  const permission = operation && operationTable[operation].permission
  const needed = Object.entries(typeof permission === 'object' ? permission : {}) as [
    ResourceKind,
    Action,
  ][]
  // Images of a project and of a silo go by different rows.
  const other = scope.projectId ? 'silo_image' : 'image'
  const allowed = needed.every(
    ([resource, action]) => resource === other || may(actor, action, resource, scope),
  )
  return allowed ? undefined : errors.forbidden().message
}
