import type { Instance } from '@steading/api/client'
import { instanceCannot } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast } from '../../ui/toasts.tsx'
import { showInstance } from './queries.ts'

export const InstanceName = ({ children }: { children: ReactNode }) => (
  <b className="font-medium wrap-anywhere text-primary">{children}</b>
)

/** The start action of an instance, in lists, on its page and at its serial console. */
export function useStartInstance(project: string): (instance: Instance) => MenuAction {
  const start = useApiAction('instanceStart', {
    onSuccess: (instance: Instance) => showInstance(project, instance),
  })
  return ({ name, runState }) => {
    const { action, code } = start({ path: { instance: name }, query: { project } })
    return {
      label: 'Start',
      calls: 'instanceStart',
      disabledReason: instanceCannot('start', runState),
      onAction: () =>
        confirmAction({
          title: 'Start instance',
          body: (
            <>
              Are you sure you want to start <InstanceName>{name}</InstanceName>?
            </>
          ),
          errorTitle: `Error starting instance '${name}'`,
          code,
          action: async () => {
            await action()
            addToast({
              content: (
                <>
                  Starting instance <b>{name}</b>
                </>
              ),
            })
          },
        }),
    }
  }
}
