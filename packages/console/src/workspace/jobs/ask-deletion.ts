import type { ReactNode } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { Confirmation } from '../../ui/confirming.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { Calls } from '../../ui/server-state.ts'
import { createStore } from '../../ui/store.ts'

/** A resource whose deletion the control plane can describe beforehand. */
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
  /** Noun in the dialog; defaults to the kind. */
  noun?: string
  id: string
  name: string
  /** Name of its project. */
  project?: string
  /** Reason why it cannot be deleted in its current state. */
  cannot?: string
  /** Loss that is final, unless the resource can be restored. */
  lost?: string
  /** Effects on other resources, where the control plane does not describe them. */
  extra?: ReactNode
  /** Content below the question. */
  below?: ReactNode
  /** Operation that the user's roles have to permit. */
  calls?: Calls
  /** Deletes only this resource. */
  action: Confirmation['action']
  /** The deletion, as code. */
  code?: Confirmation['code']
  /** Address to go to when a job deletes the resource, whose own page then disappears. */
  leaveTo?: string
}

const asked = createStore<Deletable | undefined>(undefined)
export const useAskedDeletion = asked.useValue
export const stopAskingDeletion = (): void => asked.set(undefined)

/** The operation of a deletion; a project's is checked in that project. */
const deletionOf = ({ kind, name, project, calls }: Deletable): Calls => {
  if (calls) return calls
  if (kind === 'project') return { operation: 'projectDelete', project: name }
  if (kind === 'image' && !project) return { operation: 'imageDelete', about: ['silo_image'] }
  return `${kind}Delete`
}

/**
 * The action "Delete" of a row. Where the control plane can describe the deletion, the action
 * is always enabled: the dialog lists the obstacles and offers to remove them first.
 */
export function useDeletion(): (thing: Deletable) => MenuAction {
  const supported = useCapability('deletion')
  return (thing) => ({
    label: 'Delete',
    danger: true,
    calls: deletionOf(thing),
    disabledReason: supported ? undefined : thing.cannot,
    onAction: () =>
      supported
        ? asked.set(thing)
        : confirmDelete({
            ...thing,
            kind: thing.noun ?? thing.kind,
            extra: thing.lost ? `${thing.lost} ${thing.extra as string}` : thing.extra,
          }),
  })
}
