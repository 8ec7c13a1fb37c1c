import type { JobCreate } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ApiError } from '../../data/errors.ts'
import { createStore } from '../../ui/store.ts'
import { anySearch } from '../../data/same-page.ts'

export type PlanOptions = {
  onStart?: () => void
  leaveTo?: string
  /** It is started at once if nothing of it is refused, because the user has confirmed it already. */
  confirmed?: boolean
  /** The plan that this one replaces. */
  instead?: string
}

/** A job that is being planned, or whose planning failed. */
export type Planning = PlanOptions & { request: JobCreate; error?: ApiError }

export const currentPlanning = createStore<Planning | undefined>(undefined)

/** For a link or a navigation: the same page with a job over it, or without one. */
export const withJob = (job: string | undefined) => anySearch((before) => ({ ...before, job }))

/** What `?job=` of an address may be. */
export const readJobSearch = ({ job }: Record<string, unknown>): { job?: string } =>
  typeof job === 'string' && job ? { job } : {}

/** Closes what `useShowJob` and `usePlanJob` (`open-job.ts`) have opened. */
export function useCloseJob(): () => void {
  const navigate = useNavigate()
  return useCallback(
    () =>
      void navigate({
        to: '.',
        search: withJob(undefined),
        replace: true,
      }),
    [navigate],
  )
}
