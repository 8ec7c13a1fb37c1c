import type { ReactNode } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { Confirmation } from '../../ui/confirming.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { Calls } from '../../ui/server-state.ts'
import { createStore } from '../../ui/store.ts'

/** A thing whose deletion the control plane can describe beforehand. */
export type Deletable = {
  kind:
    | 'instance'
    | 'disk'
    | 'snapshot'
    | 'image'
    | 'project'
    | 'vpc'
    | 'vpc_subnet'
    | 'vpc_router'
    | 'internet_gateway'
    | 'system_ip_pool'
    | 'system_subnet_pool'
  /** What the dialog calls it, if not by its kind. */
  noun?: string
  id: string
  name: string
  /** The name of the project it is in. */
  project?: string
  /** Why it cannot be deleted as it is. */
  cannot?: string
  /** What happens to other things, where the control plane does not describe it. */
  extra?: ReactNode
  /** What stands below the question. */
  below?: ReactNode
  /** What the user's roles have to permit. */
  calls?: Calls
  /** Deletes it alone. */
  action: Confirmation['action']
  /** The deletion, as code. */
  code?: Confirmation['code']
  /** Where to go when a job deletes the thing: its own page will not exist any more. */
  leaveTo?: string
}

const asked = createStore<Deletable | undefined>(undefined)
export const useAskedDeletion = asked.useValue
export const stopAskingDeletion = (): void => asked.set(undefined)

/** What a deletion needs; that of a project, in that project. */
const deletionOf = ({ kind, name, project, calls }: Deletable): Calls => {
  if (calls) return calls
  if (kind === 'project') return { operation: 'projectDelete', project: name }
  if (kind === 'image' && !project) return { operation: 'imageDelete', about: ['silo_image'] }
  return `${kind}Delete`
}

/**
 * The action "Delete" of a row. Where the control plane can describe the deletion, the action is
 * never disabled: the dialog says what blocks it, and offers to deal with that first.
 */
export function useDeletion(): (thing: Deletable) => MenuAction {
  const able = useCapability('deletion')
  return (thing) => ({
    label: 'Delete',
    danger: true,
    calls: deletionOf(thing),
    disabledReason: able ? undefined : thing.cannot,
    onAction: () =>
      able ? asked.set(thing) : confirmDelete({ ...thing, kind: thing.noun ?? thing.kind }),
  })
}
