import type { AlertReceiver } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { seed } from '../../data/api.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { receiversChanged } from './queries.ts'

/**
 * Actions on a receiver, in its row and on its page.
 * @param onDeleted leaves the page
 */
export function useReceiverActions(
  onDeleted?: () => Promise<unknown>,
): (receiver: AlertReceiver) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('alertReceiverDelete', {
    onSuccess: async (_, { path }) => {
      doneToast('Receiver', path.receiver, 'deleted')
      await onDeleted?.()
      await receiversChanged()
    },
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
    {
      label: 'Delete',
      calls: 'alertReceiverDelete',
      danger: true,
      onAction: () =>
        confirmDelete({
          kind: 'receiver',
          name: receiver.name,
          extra:
            'Its secrets and the history of its deliveries are deleted as well, and pending deliveries are dropped. Alerts stay.',
          ...remove({ path: { receiver: receiver.name } }),
        }),
    },
  ]
}
