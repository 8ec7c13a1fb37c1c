import { addressLotKinds } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const addressLotListDefinition: ListDefinition<'networkingAddressLotList'> = {
  kind: 'address_lot',
  id: 'address-lots',
  operation: 'networkingAddressLotList',
  filters: { kind: addressLotKinds },
}

/** Lots for the overview; the list of lots shows all. */
export const overviewLotsQuery = apiQuery('networkingAddressLotSearch', {
  query: { sortBy: 'natural_name_ascending', limit: 20 },
})

export const lotQuery = (addressLot: string) =>
  apiQuery('networkingAddressLotView', { path: { addressLot } })

export const usesQuery = (addressLot: string) =>
  apiQuery('networkingAddressLotUseList', { path: { addressLot } })

export const allLotsQuery = apiQuery('networkingAddressLotList', { query: { limit: ALL_ITEMS } })

/** The route parameter of the lot's page: its name or ID. */
export const useLotParam = (): string =>
  useParams({
    from: '/shell/system/address-lots-crumb/system/networking/address-lots/$addressLot',
  }).addressLot
