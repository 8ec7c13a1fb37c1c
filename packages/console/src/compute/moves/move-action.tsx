import { instanceCannot, type InstanceState } from '@steading/api/rules'
import { type ReactNode, useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'

const MoveModal = lazyPart(() => import('./move-modal.tsx'))

export type Movable = { id: string; name: string; state: InstanceState; sledId: string | undefined }

/** The action that moves an instance to another sled, and its dialog. */
export function useMove(): { actionOf: (instance: Movable) => MenuAction[]; dialog: ReactNode } {
  const possible = useCapability('instanceMoves')
  const [moved, setMoved] = useState<{ id: string; name: string; sledId: string }>()
  const close = () => setMoved(undefined)
  return {
    actionOf: ({ id, name, state, sledId }) =>
      !possible || sledId === undefined
        ? []
        : [
            {
              label: 'Move to another sled',
              calls: 'instanceMove',
              disabledReason: instanceCannot('move', state),
              onAction: () => setMoved({ id, name, sledId }),
            },
          ],
    dialog: moved && (
      <DialogPart onDismiss={close}>
        <MoveModal instance={moved} onDismiss={close} />
      </DialogPart>
    ),
  }
}
