import { ALL_ITEMS, apiQuery } from '../data/api.ts'

/** The pools of the person's silo. */
export const ipPoolsQuery = apiQuery('ipPoolList', { query: { limit: ALL_ITEMS } })
