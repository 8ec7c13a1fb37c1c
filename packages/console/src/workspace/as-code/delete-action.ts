import type { Args, MethodName } from '@steading/api/client'
import type { ReactNode } from 'react'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { Confirmation } from '../../ui/confirming.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { Calls } from '../../ui/server-state.ts'
import { addToast, doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from './as-code.tsx'
import { whenReread } from '../../data/api.ts'

type Options = {
  /** Leaves the page of what was deleted. */
  onDeleted?: () => unknown
  /** The toast, where it does not name what was deleted. */
  toast?: string
}

type Details = {
  /** Effects on other resources. */
  extra?: ReactNode
  /** The call's permission, where it depends on more than the operation. */
  calls?: Calls
  disabledReason?: MenuAction['disabledReason']
  /** Adds to the confirmation, such as an undo. */
  around?: <C extends Pick<Confirmation, 'action'>>(confirmation: C) => C
}

/**
 * The menu action "Delete" of a kind: it asks, calls the operation, and reports it by a toast.
 * `useDeletion` does so for kinds whose deletion the control plane can describe.
 * @param kind within a sentence: `floating IP`
 */
export function useDeleteAction<M extends MethodName>(
  operation: M,
  kind: string,
  { onDeleted, toast }: Options = {},
): (name: string, args: Args<M>, details?: Details) => MenuAction {
  const remove = useApiAction(operation)
  const report = async (name: string) => {
    if (toast) addToast(toast)
    else doneToast(capitalized(kind), name, 'deleted')
    await onDeleted?.()
    // The list of a row is read while the dialog closes.
    if (onDeleted) await whenReread()
  }
  return (name, args, { extra, disabledReason, around = <C>(same: C) => same, ...calls } = {}) => ({
    label: 'Delete',
    danger: true,
    calls: operation,
    disabledReason,
    ...calls,
    onAction() {
      const { action, ...shown } = remove(args)
      const deleting = { ...shown, action: () => action().then(() => report(name)) }
      confirmDelete({ kind, name, extra, ...around(deleting), ...calls })
    },
  })
}
