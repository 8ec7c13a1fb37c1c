import { PORT_SETTINGS_IN_USE } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import type { MenuAction } from '../../ui/menu-action.ts'

/** The actions of settings, in their row and on their page. */
export function useSettingsActions(page?: {
  onDeleted: () => Promise<unknown>
}): (settings: { name: string }, applied: boolean) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useDeleteAction('networkingSwitchPortSettingsDelete', 'port settings', {
    ...page,
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
    remove(
      name,
      { query: { portSettings: name } },
      {
        disabledReason: applied ? PORT_SETTINGS_IN_USE : undefined,
        extra: 'Their addresses are returned to the lots.',
      },
    ),
  ]
}
