import type { Job, JobCreate } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { apiQuery } from '../data/api.ts'
import { ApiError } from '../data/errors.ts'
import { useLivePolling } from '../data/live.ts'
import { QueryError } from '../page/query-error.tsx'
import { ErrorBanner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { TextLink } from '../ui/link.tsx'
import { Modal } from '../ui/modal.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { addToast } from '../ui/toasts.tsx'
import { ItemSkeletons } from './job-items.tsx'
import { JobPlan } from './job-plan.tsx'
import { JobProgress } from './job-progress.tsx'
import { isRunning, jobTitle, nounOf, stepVerb } from './job-text.ts'
import { forgetPlan, useCloseJob } from './open-job.ts'
import { currentPlanning, type Planning, withJob } from './planning.ts'

type JobDialogProps = {
  /** The job is being planned. */
  planning: Planning | undefined
  /** The job that the address names. */
  id: string | undefined
}

type View = {
  View: ComponentType<ComponentProps<typeof JobPlan>>
  onClose?: (job: Job) => void
}

const views: Record<Job['state'], View> = {
  planned: { View: JobPlan, onClose: ({ id }) => void forgetPlan(id) },
  running: { View: JobProgress, onClose: sayGoesOn },
  done: { View: JobProgress },
}

/** A job from its plan to its result. */
export function JobDialog({ planning, id }: JobDialogProps) {
  useFocusReturn()
  const polled = useLivePolling(1000)
  const { data, error, refetch } = useQuery({
    ...apiQuery('jobView', { path: { job: id ?? '' } }, { allow404: true }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data: now } }) => now !== undefined && isRunning(now) && polled,
  })
  const closeJob = useCloseJob()
  const job = id === undefined ? undefined : data
  const close = () => {
    currentPlanning.set(undefined)
    if (id !== undefined) closeJob()
    if (job) views[job.state].onClose?.(job)
  }
  const gone = error instanceof ApiError && error.statusCode === 404
  const failed = planning?.error
  if (job && !gone && !(failed && !planning.instead)) {
    const { View } = views[job.state]
    return <View job={job} planning={planning} onDismiss={close} />
  }
  return (
    <Modal
      title={planning ? planningTitle(planning.request) : 'Job'}
      width="wide"
      onDismiss={close}
      footer={
        <footer className="flex shrink-0 justify-end border-t bg-raised px-5 py-3">
          <Button onClick={close}>{planning && !failed ? 'Cancel' : 'Close'}</Button>
        </footer>
      }
    >
      {failed ? (
        <ErrorBanner messages={[failed.message]} />
      ) : gone ? (
        <p>
          This job does not exist any more. Results are kept for a week, and only the user who
          started a job can see them.
        </p>
      ) : error ? (
        <QueryError error={error} onRetry={refetch} />
      ) : (
        <JobSkeleton />
      )}
    </Modal>
  )
}

/**
 * Returns the focus to where it was before the dialog. Each phase has a frame of its own, and the
 * frame of a later one only knows that the focus was in the one before.
 */
function useFocusReturn() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the last frame has tried.
      requestAnimationFrame(() => {
        const lost = document.activeElement === document.body
        if (lost && before instanceof HTMLElement && before.isConnected) before.focus()
      })
    },
    [before],
  )
}

const planningTitle = ({ action, kind, target }: JobCreate) => {
  const { one, many } = nounOf(kind)
  return `${stepVerb(action)} ${target.type === 'ids' && target.ids.length === 1 ? one : many}`
}

const JobSkeleton = () => (
  <div aria-busy="true" aria-label="Loading" role="group" className="flex flex-col gap-3 pt-1">
    <SkeletonCell width="w-56" />
    <SkeletonCell width="w-32" />
    <ul className="h-80 overflow-hidden rounded-card border">
      <ItemSkeletons />
    </ul>
  </div>
)

function sayGoesOn(job: Job) {
  addToast({
    title: 'Continues in the background',
    content: jobTitle(job),
    link: (
      <TextLink to="." search={withJob(job.id)}>
        View
      </TextLink>
    ),
  })
}
