import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

/** The subnet pools of the user's silo. */
export const subnetPoolsQuery = apiQuery('subnetPoolList', { query: { limit: ALL_ITEMS } })

/** One of them; every user of the silo may read it, also those who may not list pools. */
export const subnetPoolQuery = (pool: string) => apiQuery('subnetPoolView', { path: { pool } })
