import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

/** The pools of the user's silo. */
export const ipPoolsQuery = apiQuery('ipPoolList', { query: { limit: ALL_ITEMS } })

export const ipPoolQuery = (pool: string) => apiQuery('ipPoolView', { path: { pool } })
