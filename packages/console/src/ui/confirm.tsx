import type { ReactNode } from 'react'
import type { Confirmation, Shown } from './confirming.tsx'
import { DialogPart } from './dialog.tsx'
import { lazyPart } from './lazy-part.ts'
import { createStore } from './store.ts'

const Confirming = lazyPart(() =>
  import('./confirming.tsx').then((module) => ({ default: module.Confirming })),
)

const current = createStore<Confirmation | Shown | null>(null)
const close = (): void => current.set(null)

/**
 * Asks before an irreversible action. The body lists further resources that are deleted, and the
 * ones that stay.
 */
export function confirmAction(confirmation: Confirmation): void {
  current.set(confirmation)
}

/** Shows the code of an action that has no confirmation. */
export function showCode(shown: Shown): void {
  current.set(shown)
}

export function confirmDelete({
  kind,
  name,
  extra,
  ...rest
}: {
  kind: string
  name: string
  extra?: ReactNode
} & Pick<Confirmation, 'action' | 'code' | 'calls' | 'below'>): void {
  current.set({
    title: `Delete ${kind}`,
    body: (
      <>
        Are you sure you want to delete{' '}
        <b className="font-medium wrap-anywhere text-primary">{name}</b>?{extra && <> {extra}</>}
      </>
    ),
    errorTitle: `Could not delete ${kind}`,
    danger: true,
    ...rest,
  })
}

/** Rendered once by the shell. */
export function ConfirmModal() {
  const shown = current.useValue()
  return (
    <DialogPart onDismiss={close}>
      {shown && <Confirming key={shown.title} shown={shown} onClose={close} />}
    </DialogPart>
  )
}
