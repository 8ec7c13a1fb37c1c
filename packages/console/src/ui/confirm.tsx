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
  /** Draws what "Confirm" does, as code. */
  code?: () => ReactNode
}

/** Something that is done without asking, as code. */
export type Shown = { title: string; code: () => ReactNode }

let current: Confirmation | Shown | null = null
const listeners = new Set<() => void>()
const set = (next: typeof current) => {
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

/** Shows what an action that does not ask would do. */
export function showCode(shown: Shown): void {
  set(shown)
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
} & Pick<Confirmation, 'action' | 'code'>): void {
  set({
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

export const closeConfirmation = () => set(null)

/** Rendered once, by the shell. */
export function ConfirmModal() {
  const shown = useSyncExternalStore(subscribe, () => current)
  return <Suspense>{shown && <Confirming key={shown.title} shown={shown} />}</Suspense>
}
