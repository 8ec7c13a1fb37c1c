import type { MethodName, RestoredResource } from '@steading/api/client'
import { kindTable, kindLabels } from '@steading/api/rules'
import { camel } from '@steading/api/client'
import { invalidate } from '../../data/api.ts'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { addToast } from '../../ui/toasts.tsx'

/** Rereads everything that the return of a resource may have changed. */
export const resourcesChanged = (kinds: readonly RestoredResource['kind'][]): Promise<void> =>
  invalidate(
    ...new Set(
      (['deleted_resource', ...kinds] as const).flatMap((kind) =>
        kindTable[kind].reads.map((read) => camel(read) as MethodName),
      ),
    ),
  )

/** Tells about a restored resource, and about parts that did not return as they were. */
export function restored({ kind, name, with: others, notes }: RestoredResource): void {
  void resourcesChanged([kind, ...others.map((one) => one.kind)])
  const also = others.length > 0 && <> with {others.map((one) => one.name).join(', ')}</>
  addToast({
    variant: notes.length > 0 ? 'notice' : 'success',
    title: notes.length > 0 ? `${capitalized(kindLabels(kind))} ${name} restored` : undefined,
    content:
      notes.length > 0 ? (
        notes.map((note) => <p key={note}>{note}</p>)
      ) : (
        <>
          {capitalized(kindLabels(kind))} <b>{name}</b> restored{also}
        </>
      ),
    timeout: notes.length > 0 ? null : undefined,
  })
}
