import {
  errors,
  type JobStep,
  type JobResourceKind,
  type KindName,
  kindTable,
} from '@steading/api/rules'
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
  // Images and templates of a project and of a silo have separate rows in the matrix.
  const { resource } = kindTable[kind]
  const kin = (Object.keys(requiredActions) as KindName[]).filter(
    (needed) => kindTable[needed].resource === resource,
  )
  const isOther = (needed: KindName) =>
    kin.length > 1 &&
    kin.includes(needed) &&
    (kindTable[needed].access.scope === 'project') !== Boolean(scope.projectId)
  const allowed = Object.entries(requiredActions).every(
    ([needed, action]) =>
      isOther(needed as KindName) || may(actor, action, needed as KindName, scope),
  )
  return allowed ? undefined : errors.forbidden().message
}
