import type { Instance } from '@steading/api/client'
import { useCapability } from '../../../data/capabilities.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import type { MenuAction } from '../../../ui/menu-action.ts'
import { openDialog } from '../../../ui/opened-dialog.tsx'

const InstanceRollBackModal = lazyPart(async () => ({
  default: (await import('../../../storage/disks/roll-back-modals.tsx')).InstanceRollBackModal,
}))

/** The menu item that rolls the disks of an instance back. */
export function useInstanceRollBack(project: string): (instance: Instance) => MenuAction[] {
  const rollsBack = useCapability('rollBacks')
  return (instance) =>
    rollsBack
      ? [
          {
            label: 'Roll back',
            calls: 'instanceRollBack',
            consequence: 'A snapshot of now is taken first.',
            disabledReason:
              instance.runState === 'stopped' || instance.runState === 'failed'
                ? undefined
                : 'Only stopped or failed instances can be rolled back',
            onAction: () =>
              openDialog((close) => (
                <InstanceRollBackModal project={project} instance={instance} onDismiss={close} />
              )),
          },
        ]
      : []
}
