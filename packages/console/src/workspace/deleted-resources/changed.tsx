import type { RestoredResource } from '@steading/api/client'
import { kindLabels } from '@steading/api/rules'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { addToast } from '../../ui/toasts.tsx'

/** Tells about a restored resource, and about parts that did not return as they were. */
export function restored({ kind, name, with: others, notes }: RestoredResource): void {
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
