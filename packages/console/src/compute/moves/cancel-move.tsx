import { useCapability } from '../../data/capabilities.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Strong } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'

type Moved = { id: string; name: string; sledId: string; cancelledBy?: string | null }

/** The action that cancels the move of an instance, with its confirmation. */
export function useCancelMove(): (instance: Moved) => MenuAction[] {
  const possible = useCapability('moveCancel')
  const cancel = useApiAction('instanceMoveCancel', {
    onSuccess: ({ instanceName }) => doneToast('Move of instance', instanceName, 'cancelled'),
  })
  return ({ id, name, sledId, cancelledBy }) =>
    possible
      ? [
          {
            label: 'Cancel move',
            calls: 'instanceMoveCancel',
            disabledReason: cancelledBy && `${cancelledBy} has cancelled it`,
            onAction: () =>
              confirmAction({
                title: 'Cancel move',
                body: (
                  <>
                    <Strong>{name}</Strong> stays on its sled and runs on, unless it arrives on the
                    other one first.
                  </>
                ),
                errorTitle: `Could not cancel the move of ${name}`,
                ...cancel({ path: { sledId, instanceId: id } }),
              }),
          },
        ]
      : []
}
