import type { Job, JobCreate } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useSyncExternalStore } from 'react'
import { call, invalidate, seed } from '../data/api.ts'
import { ApiError } from '../data/errors.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What the shown plan was asked for, so that it can be asked for otherwise. */
    jobRequest?: JobCreate
    /** Where to go when it is started: the page of something that will be gone. */
    jobLeavesTo?: string
  }
}

type PlanOptions = {
  onStart?: () => void
  leaveTo?: string
  /** The plan this one takes the place of. */
  instead?: string
}

/** A plan that is being made, or could not be. */
export type Planning = PlanOptions & { request: JobCreate; error?: ApiError }

let planning: Planning | undefined
const listeners = new Set<() => void>()
function set(next: Planning | undefined) {
  planning = next
  listeners.forEach((listener) => listener())
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const usePlanning = (): Planning | undefined =>
  useSyncExternalStore(subscribe, () => planning)

/** The answer is not waited for any longer. */
export const stopPlanning = (): void => set(undefined)

let onStart: { job: string; run: () => void } | undefined

/** Called once the job runs: whoever planned it may want to know. */
export function tellStarted(job: string): void {
  if (onStart?.job === job) onStart.run()
  onStart = undefined
}

/** A plan that nobody looks at is of no use; the control plane forgets it by itself otherwise. */
export const forgetPlan = (job: string): Promise<unknown> =>
  call('jobDelete', { path: { job } }, { expected: [404] }).catch(() => {})

/** What `?job=` of an address may be. */
export const readJobSearch = ({ job }: Record<string, unknown>): { job?: string } =>
  typeof job === 'string' && job ? { job } : {}

/** Shows a job over the page. */
export function useShowJob(): (job: string) => void {
  const navigate = useNavigate()
  return useCallback(
    (job) =>
      void navigate({ to: '.', search: ((before: object) => ({ ...before, job })) as never }),
    [navigate],
  )
}

/** Asks for a plan and shows it over the page; nothing is done before it is confirmed. */
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
          if (planning === asked && error instanceof ApiError) set({ ...asked, error })
          return
        }
        if (planning !== asked) return void forgetPlan(job.id)
        const { instead, leaveTo } = options
        seed('jobView', { path: { job: job.id } }, job)
        if (options.onStart) onStart = { job: job.id, run: options.onStart }
        await navigate({
          to: '.',
          search: ((before: object) => ({ ...before, job: job.id })) as never,
          state: { jobRequest: request, jobLeavesTo: leaveTo },
          replace: instead !== undefined,
        })
        if (planning === asked) set(undefined)
        if (instead) void forgetPlan(instead)
      }
      set(asked)
      void show()
    },
    [navigate],
  )
}

/** Closes what `useShowJob` and `usePlanJob` have opened. */
export function useCloseJob(): () => void {
  const navigate = useNavigate()
  return useCallback(
    () =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, job: undefined })) as never,
        replace: true,
      }),
    [navigate],
  )
}

export const refreshJobs = (): Promise<void> => invalidate('jobList', 'jobView', 'jobItemList')
