import type { Job } from '@steading/api/client'
import type { JobState } from '@steading/api/rules'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'

/** Latest jobs first. */
export const jobsQuery = (pageToken?: string, limit = PAGE_SIZE) =>
  apiQuery('jobList', { query: { sortBy: 'time_created_descending', limit, pageToken } })

/** Enough to find the running ones. */
export const recentJobsQuery = jobsQuery(undefined, 20)

const running: Record<JobState, boolean> = { planned: false, running: true, done: false }

/** Whether a job progresses by itself. */
export const isRunning = ({ state }: { state: JobState }): boolean => running[state]

export type JobOutcome = 'planned' | 'running' | 'done' | 'failed' | 'cancelled'

/** Outcome of a job; a finished job's is its worst result. */
export function jobOutcome({ state, counts }: Pick<Job, 'state' | 'counts'>): JobOutcome {
  if (state !== 'done') return state
  if (counts.failed > 0) return 'failed'
  return counts.cancelled > 0 ? 'cancelled' : 'done'
}
