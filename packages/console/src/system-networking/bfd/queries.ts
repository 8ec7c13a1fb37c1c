import { apiQuery } from '../../data/api.ts'

export const bfdQuery = apiQuery('networkingBfdStatus', {})
