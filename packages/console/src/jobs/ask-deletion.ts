import type { ReactNode } from 'react'
import { useCapability } from '../data/capabilities.ts'
import { confirmDelete } from '../ui/confirm.tsx'
import type { Confirmation } from '../ui/confirming.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { createStore } from '../ui/store.ts'

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

const asked = createStore<Deletable | undefined>(undefined)
export const useAskedDeletion = asked.useValue
export const stopAskingDeletion = (): void => asked.set(undefined)

/**
 * The action "Delete" of a row. Where the control plane tells what is in the way, it can always be
 * asked for: the dialog says why not, and offers to deal with that first.
 */
export function useDeletion(): (thing: Deletable) => MenuAction {
  const able = useCapability('deletion')
  return (thing) => ({
    label: 'Delete',
    danger: true,
    disabledReason: able ? undefined : thing.cannot,
    onAction: () => (able ? asked.set(thing) : confirmDelete(thing)),
  })
}
