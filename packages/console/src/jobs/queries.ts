import { apiQuery } from '../data/api.ts'

/** The latest jobs: enough to tell which are running. */
export const recentJobsQuery = apiQuery('jobList', {
  query: { limit: 20, sortBy: 'time_created_descending' },
})

/** The list of them all. */
export const jobListArgs = { query: { sortBy: 'time_created_descending' } } as const
