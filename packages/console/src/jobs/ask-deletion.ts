import { useSyncExternalStore, type ReactNode } from 'react'
import { useCapability } from '../data/capabilities.ts'
import { confirmDelete, type Confirmation } from '../ui/confirm.tsx'
import type { MenuAction } from '../ui/menu.tsx'

/** Something of which the control plane can tell what its deletion means. */
export type Deletable = {
  kind: 'instance' | 'disk' | 'snapshot' | 'image' | 'project'
  id: string
  name: string
  /** The name of the project it is in. */
  project?: string
  /** Why it cannot be deleted as it is. */
  cannot?: string
  /** What becomes of other things, where the control plane knows of none, or does not tell. */
  extra?: ReactNode
  /** Deletes it alone. */
  action: Confirmation['action']
  /** That, as code. */
  code?: Confirmation['code']
  /** Where to go when it is deleted with others: its own page will be gone. */
  leaveTo?: string
}

let asked: Deletable | undefined
const listeners = new Set<() => void>()
function set(next: Deletable | undefined) {
  asked = next
  listeners.forEach((listener) => listener())
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useAskedDeletion = (): Deletable | undefined =>
  useSyncExternalStore(subscribe, () => asked)
export const stopAskingDeletion = (): void => set(undefined)

/**
 * The action "Delete" of a row. Where the control plane tells what is in the way, it can always be
 * asked for: the dialog says why not, and offers to deal with that first.
 */
export function useDeletion(): (thing: Deletable) => MenuAction {
  const able = useCapability('deletion')
  return (thing) => ({
    label: 'Delete',
    disabledReason: able ? undefined : thing.cannot,
    onAction: () => (able ? set(thing) : confirmDelete(thing)),
  })
}
