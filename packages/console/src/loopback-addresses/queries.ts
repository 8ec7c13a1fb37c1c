import { apiQuery, PAGE_SIZE } from '../data/api.ts'

export const loopbacksQuery = (pageToken?: string) =>
  apiQuery('networkingLoopbackAddressDetailList', { query: { limit: PAGE_SIZE, pageToken } })

export const racksQuery = apiQuery('rackList', {})
