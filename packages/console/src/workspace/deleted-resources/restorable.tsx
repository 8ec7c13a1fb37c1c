/** Deletions that can be undone: the note in their dialogs, and the toast with "Undo". */
import { isRestorable, kindLabels, restorableUntil } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, queryClient } from '../../data/api.ts'
import { currentCapabilities, useCapability } from '../../data/capabilities.ts'
import { Button } from '../../ui/button.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { DateTime } from '../../ui/time.tsx'
import { addToast, errorToast, removeToast, toasts } from '../../ui/toasts.tsx'
import { restored } from './changed.tsx'
import { deletionPolicyQuery, hoursText } from './queries.ts'

/** Whether a deletion of a kind can be undone, and for how many hours. */
export function useRestorableHours(kind: string): number {
  const supported = useCapability('deletedResources') === true && isRestorable(kind)
  const { data } = useQuery({ ...deletionPolicyQuery, enabled: supported })
  return supported ? (data?.restorableHours ?? 0) : 0
}

/**
 * Whether resources of some kinds that are deleted along can be restored as well. Images may belong
 * to the silo, and those cannot.
 */
export const keepsAll = (kinds: readonly string[]): boolean =>
  kinds.every((kind) => kind !== 'image' && isRestorable(kind))

type NoteProps = {
  kind: string
  /** Several resources. */
  several?: boolean
}

/** Says in the dialog of a deletion until when it can be undone; nothing if it cannot. */
export function RestorableNote({ kind, several = false }: NoteProps) {
  const hours = useRestorableHours(kind)
  const [now] = useState(() => new Date())
  if (hours === 0) return null
  return (
    <p className="text-secondary">
      {several ? 'They' : 'It'} can be restored for {hoursText(hours)}, until{' '}
      <DateTime date={restorableUntil(now, hours)} />.
    </p>
  )
}

type Deleting = { kind: string; id: string; name: string }

/** The policy's hours for a kind; 0 if it is unknown. */
async function hoursFor(kind: string): Promise<number> {
  const { deletedResources } = await currentCapabilities()
  if (!deletedResources || !isRestorable(kind)) return 0
  const policy = await queryClient.ensureQueryData(deletionPolicyQuery).catch(() => undefined)
  return policy?.restorableHours ?? 0
}

async function undo({ id, name }: Deleting): Promise<void> {
  try {
    restored(await call('deletedResourceRestore', { path: { deletedResource: id }, body: {} }))
  } catch (error) {
    errorToast(`Could not restore ${name}`, error instanceof Error ? error.message : String(error))
  }
}

/** Milliseconds for which a toast offers to undo a deletion. */
const UNDO_MS = 15_000

/** Deletes a resource; the toast about it then offers to undo that, if the resource is kept. */
export async function withUndo(deleting: Deleting, action: () => Promise<unknown>): Promise<void> {
  const { kind, id, name } = deleting
  const before = toasts.get().at(-1)?.id ?? 0
  await action()
  if ((await hoursFor(kind)) === 0) return
  const noun = capitalized(kindLabels(kind as 'disk'))
  // Not an earlier one, such as that the resource was stopped: some deletions show none.
  const shown = toasts
    .get()
    .findLast((toast) => toast.id > before && (toast.about === name || toast.about === id))
  if (shown) removeToast(shown.id)
  const dismiss = addToast({
    content: shown?.content ?? (
      <>
        {noun} <b>{name}</b> deleted
      </>
    ),
    timeout: UNDO_MS,
    link: (
      <Button
        size="sm"
        sends
        className="mt-2"
        onClick={() => {
          dismiss()
          void undo(deleting)
        }}
      >
        Undo
      </Button>
    ),
  })
}

/** The confirmation of a deletion that can be undone. */
export const undoable = <C extends { action: () => Promise<unknown> }>(
  deleting: Deleting,
  confirmation: C,
) => ({
  ...confirmation,
  action: () => withUndo(deleting, confirmation.action),
  below: <RestorableNote kind={deleting.kind} />,
})
