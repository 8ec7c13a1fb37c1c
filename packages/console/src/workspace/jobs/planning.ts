import type { JobCreate } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ApiError } from '../../data/errors.ts'
import { createStore } from '../../ui/store.ts'
import { anySearch } from '../../data/addresses.ts'

export type PlanOptions = {
  onStart?: () => void
  leaveTo?: string
  /** Start at once if nothing is refused, because the user has already confirmed. */
  confirmed?: boolean
  /** The plan to replace. */
  instead?: string
}

/** A job that is being planned, or whose planning failed. */
export type Planning = PlanOptions & { request: JobCreate; error?: ApiError }

export const currentPlanning = createStore<Planning | undefined>(undefined)

/** Search for a link or a navigation: the same page with or without a job over it. */
export const withJob = (job: string | undefined) => anySearch((before) => ({ ...before, job }))

/** Validates `?job=` of an address. */
export const readJobSearch = ({ job }: Record<string, unknown>): { job?: string } =>
  typeof job === 'string' && job ? { job } : {}

/** Closes a dialog opened by `useShowJob` or `usePlanJob` (`open-job.ts`). */
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
