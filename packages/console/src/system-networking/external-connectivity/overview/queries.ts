import { apiQuery } from '../../../data/api.ts'

/** Lots with as much as the overview shows; who has more looks at their list. */
export const lotsQuery = apiQuery('networkingAddressLotSearch', {
  query: { sortBy: 'natural_name_ascending', limit: 20 },
})
