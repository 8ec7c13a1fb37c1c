import { errors, type JobStep, type JobResourceKind, type KindName } from '@steading/api/rules'
import { type Actor, may, type Scope } from './authz/actor.ts'
import { storedKind } from './kinds.ts'

/**
 * The reason why a caller may not take a step, by the permission of its operation; undefined if the
 * caller may.
 */
export function stepForbidden(
  actor: Actor,
  step: JobStep,
  kind: JobResourceKind,
  scope: Scope,
): string | undefined {
  const requiredActions = storedKind(kind).steps?.[step]?.requiredActions ?? {}
  // Images of a project and of a silo have separate rows in the matrix.
  const other: KindName = scope.projectId ? 'silo_image' : 'image'
  const allowed = Object.entries(requiredActions).every(
    ([needed, action]) => needed === other || may(actor, action, needed as KindName, scope),
  )
  return allowed ? undefined : errors.forbidden().message
}
