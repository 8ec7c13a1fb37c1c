import type { Args, Job, JobCreate } from '@steading/api/client'
import { MutationObserver, type Query } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { call, queryClient, seed } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { call as stepOf, idOf, type Step } from '../as-code/steps.ts'
import { currentPlanning, type Planning, type PlanOptions, withJob } from './planning.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The request of the shown plan, for planning again with other options. */
    jobRequest?: JobCreate
    /**
     * Address to go to when the job starts, because it deletes the resource of the current
     * page.
     */
    jobLeavesTo?: string
  }
}

let onStart: { job: string; run: () => void } | undefined

/** Called when a job starts; runs the `onStart` that its planner passed. */
export function notifyStarted(job: string): void {
  if (onStart?.job === job) onStart.run()
  onStart = undefined
}

/** Named `jobDelete`, so that live updates do not refetch the plan. */
const deletion = new MutationObserver(queryClient, {
  mutationKey: ['jobDelete'],
  mutationFn: (args: Args<'jobDelete'>) => call('jobDelete', args, { expected: [404] }),
})

/**
 * Deletes a plan that is no longer shown, after its pending reads have finished; otherwise the
 * control plane deletes it later.
 */
export async function forgetPlan(job: string): Promise<void> {
  const isOfJob = ({ queryKey: [, args] }: Query) =>
    (args as { path?: { job?: string } } | undefined)?.path?.job === job
  const reading = queryClient
    .getQueryCache()
    .findAll({ fetchStatus: 'fetching', predicate: isOfJob })
    .map(({ promise }) => promise)
  await Promise.allSettled(reading)
  await deletion.mutate({ path: { job } }).catch(() => {})
}

/** Shows a job over the page. */
export function useShowJob(): (job: string) => void {
  const navigate = useNavigate()
  return useCallback((job) => void navigate({ to: '.', search: withJob(job) }), [navigate])
}

/** Plans a job and shows the plan over the page; nothing runs before the user confirms. */
export function usePlanJob(): (request: JobCreate, options?: PlanOptions) => void {
  const navigate = useNavigate()
  return useCallback(
    (request, options = {}) => {
      const asked: Planning = { ...options, request }
      const show = async () => {
        let job: Job
        try {
          job = await call('jobCreate', { body: request })
        } catch (error) {
          const wanted = currentPlanning.get() === asked
          if (wanted && error instanceof ApiError) currentPlanning.set({ ...asked, error })
          return
        }
        if (currentPlanning.get() !== asked) return void forgetPlan(job.id)
        const { instead, leaveTo } = options
        let error: ApiError | undefined
        if (options.confirmed && job.counts.refused === 0) {
          // Leave the page of a resource before the job deletes it.
          if (leaveTo) await navigate({ to: leaveTo })
          try {
            job = await call('jobStart', { path: { job: job.id } })
          } catch (failure) {
            if (failure instanceof ApiError) error = failure
          }
        }
        seed('jobView', { path: { job: job.id } }, job)
        if (options.onStart) onStart = { job: job.id, run: options.onStart }
        else if (instead && onStart?.job === instead) onStart.job = job.id
        await navigate({
          to: '.',
          search: withJob(job.id),
          state: { jobRequest: request, jobLeavesTo: leaveTo },
          replace: instead !== undefined,
        })
        if (currentPlanning.get() === asked) {
          currentPlanning.set(error && { ...asked, error, instead: job.id })
        }
        if (instead) void forgetPlan(instead)
      }
      currentPlanning.set(asked)
      void show()
    },
    [navigate],
  )
}

const PLAN = 'job'

/** The calls that plan and start a job. */
export const jobSteps = (request: JobCreate): Step[] => [
  stepOf('jobCreate', { body: request }, { idAs: PLAN }),
  stepOf('jobStart', { path: { job: idOf(PLAN) } }),
]
