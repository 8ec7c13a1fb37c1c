import { addressLotKinds } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const addressLotListDefinition: ListDefinition<'networkingAddressLotList'> = {
  kind: 'address_lot',
  id: 'address-lots',
  operation: 'networkingAddressLotList',
  searched: 'networkingAddressLotSearch',
  filters: { kind: addressLotKinds },
}
