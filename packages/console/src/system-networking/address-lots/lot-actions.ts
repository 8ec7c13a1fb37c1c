import type { AddressLot } from '@steading/api/client'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'

type Page = { onDeleted: () => Promise<unknown> }

/** Why a lot cannot be deleted, as far as its row shows. */
export const LOT_IN_USE = 'Addresses of the lot are in use'

/** The actions of a lot, in its row and on its page. */
export function useLotActions(page?: Page): (lot: AddressLot, inUse: boolean) => MenuAction[] {
  const remove = useApiAction('networkingAddressLotDelete', {
    onSuccess: async (_, { path }) => {
      doneToast('Address lot', path.addressLot, 'deleted')
      await page?.onDeleted()
      await invalidate('networkingAddressLotList')
    },
  })
  return ({ name }, inUse) => [
    {
      label: 'Delete',
      calls: 'networkingAddressLotDelete',
      danger: true,
      disabledReason: inUse ? LOT_IN_USE : undefined,
      onAction: () =>
        confirmDelete({
          kind: 'address lot',
          name,
          extra: 'Its blocks are deleted with it.',
          ...remove({ path: { addressLot: name } }),
        }),
    },
  ]
}
