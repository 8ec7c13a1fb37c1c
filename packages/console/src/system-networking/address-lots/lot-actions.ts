import type { AddressLot } from '@steading/api/client'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import type { MenuAction } from '../../ui/menu-action.ts'

type Page = { onDeleted: () => Promise<unknown> }

/** Why a lot cannot be deleted, as far as its row shows. */
export const LOT_IN_USE = 'Addresses of the lot are in use'

/** The actions of a lot, in its row and on its page. */
export function useLotActions(page?: Page): (lot: AddressLot, inUse: boolean) => MenuAction[] {
  const remove = useDeleteAction('networkingAddressLotDelete', 'address lot', page)
  return ({ name }, inUse) => [
    remove(
      name,
      { path: { addressLot: name } },
      {
        disabledReason: inUse ? LOT_IN_USE : undefined,
        extra: 'Its blocks are deleted with it.',
      },
    ),
  ]
}
