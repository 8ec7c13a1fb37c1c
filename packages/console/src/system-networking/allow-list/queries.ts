import { apiQuery } from '../../data/api.ts'

export const allowListQuery = apiQuery('networkingAllowListView', {})
