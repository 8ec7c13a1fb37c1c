import type { AlertReceiver } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { seed } from '../../data/api.ts'
import type { MenuAction } from '../../ui/menu-action.ts'

/**
 * Actions on a receiver, in its row and on its page.
 * @param onDeleted leaves the page
 */
export function useReceiverActions(
  onDeleted?: () => Promise<unknown>,
): (receiver: AlertReceiver) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useDeleteAction('alertReceiverDelete', 'receiver', {
    onDeleted,
  })
  return (receiver) => [
    {
      label: 'Edit',
      calls: 'webhookReceiverUpdate',
      onAction: () => {
        // The panel opens at once with the current data.
        seed('alertReceiverView', { path: { receiver: receiver.name } }, receiver)
        void navigate({
          to: '/system/alert-receivers/$receiver/edit',
          params: { receiver: receiver.name },
        })
      },
    },
    remove(
      receiver.name,
      { path: { receiver: receiver.name } },
      {
        extra:
          'Its secrets and the history of its deliveries are deleted as well, and pending deliveries are dropped. Alerts stay.',
      },
    ),
  ]
}
