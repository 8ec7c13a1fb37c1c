import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

export const utilizationQuery = apiQuery('utilizationView', {})

export const silosUtilizationQuery = apiQuery('siloUtilizationList', {
  query: { limit: ALL_ITEMS },
})
