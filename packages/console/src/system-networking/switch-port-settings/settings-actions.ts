import { PORT_SETTINGS_IN_USE } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'

/** The actions of settings, in their row and on their page. */
export function useSettingsActions(page?: {
  onDeleted: () => Promise<unknown>
}): (settings: { name: string }, applied: boolean) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('networkingSwitchPortSettingsDelete', {
    onSuccess: async (_, { query }) => {
      doneToast('Port settings', query?.portSettings, 'deleted')
      await page?.onDeleted()
      await invalidate('networkingSwitchPortSettingsList', 'networkingAddressLotList')
    },
  })
  return ({ name }, applied) => [
    {
      label: 'Edit',
      calls: 'networkingSwitchPortSettingsCreate',
      local: true,
      onAction: () =>
        void navigate({
          to: '/system/networking/port-settings/$portSettings/edit',
          params: { portSettings: name },
        }),
    },
    {
      label: 'Delete',
      calls: 'networkingSwitchPortSettingsDelete',
      danger: true,
      disabledReason: applied ? PORT_SETTINGS_IN_USE : undefined,
      onAction: () =>
        confirmDelete({
          kind: 'port settings',
          name,
          extra: 'Their addresses are returned to the lots.',
          ...remove({ query: { portSettings: name } }),
        }),
    },
  ]
}
