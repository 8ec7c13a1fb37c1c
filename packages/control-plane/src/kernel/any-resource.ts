/** Calls about a resource of any kind with a list in `/x/v1`, such as those about its tags. */
import type { KindName, ListedKind } from '@steading/api/rules'
import { may } from './authz/actor.ts'
import type { Context } from './context.ts'
import { locate, type Located, requiring } from './lookup.ts'
import type { Work } from './work.ts'

interface Named {
  kind: ListedKind
  thing: string
}

type Asking = Pick<Context, 'db' | 'actor' | 'audit'>

/**
 * Finds the resource of a call.
 * @param action the action that the call needs on it
 * @throws ApiError 404 or 403
 */
export const locateAny = (
  asking: Asking,
  { kind, thing }: Named,
  action: 'read' | 'modify',
): Promise<Located> =>
  locate(requiring(asking, { [kind]: action } as Record<KindName, typeof action>), kind, thing)

export const mayModify = ({ actor }: Pick<Asking, 'actor'>, kind: ListedKind, { scope }: Located) =>
  may(actor, 'modify', kind, scope)

/** Emits the event of a change that no column of the resource shows. */
export async function emitUpdate(
  { emit }: Pick<Work, 'emit'>,
  kind: ListedKind,
  { row, scope }: Located,
): Promise<void> {
  await emit(kind, 'update', {
    id: row.id,
    name: String(row.name ?? ''),
    silo_id: scope.siloId ?? null,
    project_id: scope.projectId ?? null,
    user_id: scope.userId ?? null,
  })
}
