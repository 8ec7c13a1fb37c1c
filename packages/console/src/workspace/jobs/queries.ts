import { apiQuery, PAGE_SIZE } from '../../data/api.ts'

/** The latest first. */
export const jobsQuery = (pageToken?: string, limit = PAGE_SIZE) =>
  apiQuery('jobList', { query: { sortBy: 'time_created_descending', limit, pageToken } })

/** Enough to tell which are running. */
export const recentJobsQuery = jobsQuery(undefined, 20)
