import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'

const Confirming = lazy(() =>
  import('./confirming.tsx').then((module) => ({ default: module.Confirming })),
)

export type Confirmation = {
  title: string
  body: ReactNode
  /** Runs on "Confirm"; the modal closes when it settles. */
  action: () => Promise<unknown>
  /** Title of the toast if the action fails. */
  errorTitle: string
  danger?: boolean
}

let current: Confirmation | null = null
const listeners = new Set<() => void>()
const set = (next: Confirmation | null) => {
  current = next
  listeners.forEach((listener) => listener())
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Asks before something that cannot be taken back. The body names what else goes and what stays. */
export function confirmAction(confirmation: Confirmation): void {
  set(confirmation)
}

export function confirmDelete({
  kind,
  name,
  extra,
  action,
}: {
  kind: string
  name: string
  extra?: ReactNode
  action: () => Promise<unknown>
}): void {
  set({
    title: `Delete ${kind}`,
    body: (
      <>
        Are you sure you want to delete{' '}
        <b className="font-medium wrap-anywhere text-primary">{name}</b>?{extra && <> {extra}</>}
      </>
    ),
    action,
    errorTitle: `Could not delete ${kind}`,
    danger: true,
  })
}

export const closeConfirmation = () => set(null)

/** Rendered once, by the shell. */
export function ConfirmModal() {
  const confirmation = useSyncExternalStore(subscribe, () => current)
  return (
    <Suspense>
      {confirmation && <Confirming key={confirmation.title} confirmation={confirmation} />}
    </Suspense>
  )
}
