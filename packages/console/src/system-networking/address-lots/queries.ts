import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

export const lotQuery = (addressLot: string) =>
  apiQuery('networkingAddressLotView', { path: { addressLot } })

export const usesQuery = (addressLot: string) =>
  apiQuery('networkingAddressLotUseList', { path: { addressLot } })

export const allLotsQuery = apiQuery('networkingAddressLotList', { query: { limit: ALL_ITEMS } })

/** What the lot of the page is called in the address: its name, or its ID. */
export const useLotParam = (): string =>
  useParams({
    from: '/shell/system/address-lots-crumb/system/networking/address-lots/$addressLot',
  }).addressLot
