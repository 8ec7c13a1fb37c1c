import { type Operation, writesRows } from '@steading/api'
import { type Action, type KindName, tokenMessages } from '@steading/api/rules'
import { type ApiError, fail } from '../errors.ts'
import { type Actor, may, type Scope } from './actor.ts'

/**
 * A call whose operation declares which action it needs on which kinds of resources. Asking about a
 * kind that the operation does not declare is a type error.
 */
export interface PermissionContext<Kinds extends KindName> {
  readonly actor: Actor
  readonly requiredActions: Readonly<Record<Kinds, Action>>
}

/**
 * Checks that a caller may change what belongs to a user alone. Callers with limits may not.
 * @throws ApiError 403
 */
export function requireOwnAccount({ limits }: Pick<Actor, 'limits'>): void {
  if (limits) throw fail.forbidden(tokenMessages.limited)
}

/**
 * Checks that the limits of a caller leave an operation possible at all, before anything is looked
 * up. {@link may} decides about each of its resources.
 * @throws ApiError 403
 */
export function requireWithinLimits(
  { limits }: Pick<Actor, 'limits'>,
  operation: Pick<Operation, 'permission' | 'evenIfLimited' | 'method' | 'transaction'>,
): void {
  if (!limits) return
  if (operation.permission === 'session' && !operation.evenIfLimited) requireOwnAccount({ limits })
  if (limits.readOnly && writesRows(operation)) throw fail.forbidden(tokenMessages.readOnly)
}

/**
 * Checks that the caller may do what the operation needs on a kind of resource.
 * @param hidden the 404 for a caller who may not even read it; without one the answer is 403
 * @throws ApiError that 404, or 403
 */
export function authorize<K extends KindName>(
  { actor, requiredActions }: PermissionContext<K>,
  kind: K,
  scope: Scope,
  hidden?: () => ApiError,
): void {
  if (hidden && !may(actor, 'read', kind, scope)) throw hidden()
  if (!may(actor, requiredActions[kind], kind, scope)) throw fail.forbidden()
}
