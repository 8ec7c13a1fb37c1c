import type { Host } from '@steading/api/client'
import { fenceProblem, hostCannot } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { seed, useApiMutation, whenReread } from '../../data/api.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Strong } from '../../ui/text.tsx'
import { addToast, doneToast, errorToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'

/**
 * Actions on a host, in its row and on its page.
 * @param onRemoved leaves the page
 */
export function useHostActions(onRemoved?: () => unknown): (host: Host) => MenuAction[] {
  const navigate = useNavigate()
  const check = useApiMutation('hostCheck', {
    onError: ({ message }) => errorToast('Could not check the host', message),
  })
  const remove = useApiAction('hostDelete')
  const fence = useApiAction('hostFence')
  return (host) => {
    const { id, name, address } = host
    const removing = remove({ path: { hostId: id } })
    const fencing = fence({ path: { hostId: id } })
    return [
      {
        label: 'Check again',
        calls: 'hostCheck',
        disabledReason: host.checking ? 'It is being checked' : hostCannot('check', host),
        onAction: () => check.mutate({ path: { hostId: id } }),
      },
      {
        label: 'Change address',
        calls: 'hostUpdate',
        disabledReason: hostCannot('update', host),
        onAction: () => {
          // The panel opens at once with the current data.
          seed('hostView', { path: { hostId: id } }, host)
          void navigate({ to: '/system/inventory/hosts/$host/edit', params: { host: id } })
        },
      },
      {
        label: 'Fence host',
        calls: 'hostFence',
        danger: true,
        disabledReason: fenceProblem({ ...host.fencing, inService: host.state === 'in_service' }),
        onAction: () =>
          confirmAction({
            title: 'Fence host',
            body: (
              <>
                <Strong>{name}</Strong>{' '}
                {host.fencing.method === 'leases'
                  ? 'does not answer. Once the leases of its guests have run out, its instances fail, and start elsewhere if their restart policy says so.'
                  : 'is switched off at once, whether it answers or not. Its instances fail, and start elsewhere if their restart policy says so. Data that their guests have not written to a disk are lost.'}
              </>
            ),
            errorTitle: `Could not fence ${name}`,
            danger: true,
            ...fencing,
            action: async () => {
              await fencing.action()
              addToast({
                content: (
                  <>
                    Host <b>{name}</b> is being fenced
                  </>
                ),
              })
              await whenReread()
            },
          }),
      },
      {
        label: 'Remove host',
        calls: 'hostDelete',
        danger: true,
        disabledReason: hostCannot('delete', host),
        onAction: () =>
          confirmAction({
            title: 'Remove host',
            body: (
              <>
                <Strong>{address}</Strong> is no longer called. Nothing on the machine changes, and
                it can be added again.
              </>
            ),
            errorTitle: `Could not remove ${name}`,
            danger: true,
            ...removing,
            action: async () => {
              await removing.action()
              doneToast('Host', name, 'removed')
              await onRemoved?.()
              await whenReread()
            },
          }),
      },
    ]
  }
}
