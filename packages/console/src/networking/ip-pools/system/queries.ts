import { useParams } from '@tanstack/react-router'
import { apiQuery, PAGE_SIZE } from '../../../data/api.ts'

export const poolQuery = (pool: string) => apiQuery('systemIpPoolView', { path: { pool } })

export const utilizationQuery = (pool: string) =>
  apiQuery('systemIpPoolUtilizationView', { path: { pool } })

export const rangesQuery = (pool: string, pageToken?: string) =>
  apiQuery('systemIpPoolRangeList', { path: { pool }, query: { limit: PAGE_SIZE, pageToken } })

/**
 * Operators are not told which addresses are taken inside of silos, so no event says that what is
 * left of a pool has changed.
 */
export const POLL_MS = 10_000

/** What the pool of the page is called in the address: its name, or its ID. */
export const usePoolParam = (): string =>
  useParams({ from: '/shell/system/ip-pools-crumb/system/networking/ip-pools/$pool' }).pool
