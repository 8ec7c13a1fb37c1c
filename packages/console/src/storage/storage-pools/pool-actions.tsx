import type { StoragePool } from '@steading/api/client'
import { asSentence, storagePoolMessages } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { seed, useApiMutation, whenReread } from '../../data/api.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Strong } from '../../ui/text.tsx'
import { addToast, doneToast, errorToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'

/** Why a pool cannot be removed, as far as its row says it. */
function cannotRemove({ state, builtIn, isDefault, disks }: StoragePool): string | undefined {
  if (state === 'leaving') return asSentence(storagePoolMessages.leaving)
  if (builtIn) return asSentence(storagePoolMessages.builtIn)
  if (isDefault) return asSentence(storagePoolMessages.isDefault)
  return disks > 0 ? 'Move or delete its disks first' : undefined
}

/**
 * Actions on a storage pool, in its row and on its page.
 * @param onRemoved leaves the page
 */
export function usePoolActions(onRemoved?: () => unknown): (pool: StoragePool) => MenuAction[] {
  const navigate = useNavigate()
  const check = useApiMutation('storagePoolCheck', {
    onError: ({ message }) => errorToast('Could not check the storage pool', message),
  })
  const makeDefault = useApiMutation('storagePoolMakeDefault', {
    onSuccess: ({ name }) =>
      addToast({
        content: (
          <>
            New disks are in storage pool <b>{name}</b>
          </>
        ),
      }),
    onError: ({ message }) => errorToast('Could not change the default', message),
  })
  const remove = useApiAction('storagePoolDelete')
  return (pool) => {
    const { name } = pool
    const path = { pool: name }
    const leaving = pool.state === 'leaving' && asSentence(storagePoolMessages.leaving)
    const removing = remove({ path })
    return [
      {
        label: 'Edit',
        calls: 'storagePoolUpdate',
        disabledReason: leaving,
        onAction: () => {
          // The panel opens at once with the current data.
          seed('storagePoolView', { path }, pool)
          void navigate({ to: '/system/inventory/storage-pools/$pool/edit', params: path })
        },
      },
      {
        label: 'Check again',
        calls: 'storagePoolCheck',
        disabledReason: leaving,
        onAction: () => check.mutate({ path }),
      },
      {
        label: 'Make default',
        calls: 'storagePoolMakeDefault',
        disabledReason: leaving || (pool.isDefault && 'It is the default'),
        onAction: () => makeDefault.mutate({ path }),
      },
      {
        label: 'Remove storage pool',
        calls: 'storagePoolDelete',
        danger: true,
        disabledReason: cannotRemove(pool),
        onAction: () =>
          confirmAction({
            title: 'Remove storage pool',
            body: (
              <>
                <Strong>{name}</Strong> takes no more disks. Its directory stays, and can be added
                again.
              </>
            ),
            errorTitle: `Could not remove ${name}`,
            danger: true,
            ...removing,
            action: async () => {
              await removing.action()
              doneToast('Storage pool', name, 'removed')
              await onRemoved?.()
              await whenReread()
            },
          }),
      },
    ]
  }
}
