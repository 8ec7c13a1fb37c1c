import type { Action, ResourceKind } from '@steading/api/rules'
import type { Context } from '../context.ts'
import { type ApiError, fail } from '../errors.ts'
import { may, type Scope } from './actor.ts'

/**
 * Checks what the operation table says the call needs on a kind of thing.
 * @param hidden the 404 for somebody who may not even see it; without one the answer is 403
 * @throws ApiError that 404, or 403
 */
export function authorize(
  ctx: Context,
  kind: ResourceKind,
  scope: Scope,
  hidden?: () => ApiError,
): void {
  const { permission } = ctx.operation
  const needed: Action = (typeof permission === 'object' ? permission[kind] : undefined) ?? 'read'
  if (hidden && !may(ctx.actor, 'read', kind, scope)) throw hidden()
  if (!may(ctx.actor, needed, kind, scope)) throw fail.forbidden()
}
