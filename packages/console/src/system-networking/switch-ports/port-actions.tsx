import type { SwitchPort } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { portArgs } from './queries.ts'

/** The actions of a port, in its row and on its page. */
export function usePortActions(): (port: SwitchPort & { name: string }) => MenuAction[] {
  const navigate = useNavigate()
  const clear = useApiAction('networkingSwitchPortClearSettings', {
    onSuccess: async (_, { path }) => {
      doneToast('Settings of port', path.port, 'cleared')
      await whenReread()
    },
  })
  return (port) => [
    {
      label: port.portSettingsId ? 'Apply other settings' : 'Apply settings',
      calls: 'networkingSwitchPortApplySettings',
      local: true,
      onAction: () =>
        void navigate({
          to: '/system/networking/switch-ports/$switchPort/apply',
          params: { switchPort: port.id },
        }),
    },
    {
      label: 'Clear settings',
      calls: 'networkingSwitchPortClearSettings',
      danger: true,
      disabledReason: port.portSettingsId ? undefined : 'The port has no settings',
      onAction: () =>
        confirmAction({
          title: 'Clear settings',
          errorTitle: `Could not clear the settings of ${port.name}`,
          danger: true,
          body: (
            <>
              Are you sure you want to clear the settings of <b>{port.name}</b>? Its links go down,
              and all sessions with routers over them end. The settings themselves stay.
            </>
          ),
          ...clear(portArgs(port)),
        }),
    },
  ]
}
