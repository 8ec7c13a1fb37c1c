import type { Job, JobCreate } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ComponentType } from 'react'
import { apiQuery, queryClient } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { useLivePolling } from '../../data/live.ts'
import { QueryError } from '../../page/query-error.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextLink } from '../../ui/link.tsx'
import { ModalFrame, ModalParts } from '../../ui/modal.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { ItemSkeletons } from './job-items.tsx'
import { JobPlan } from './job-plan.tsx'
import { JobProgress } from './job-progress.tsx'
import { isRunning } from './queries.ts'
import { jobTitle, nounOf, stepVerb } from './job-text.ts'
import { forgetPlan } from './open-job.ts'
import { currentPlanning, type Planning, withJob, useCloseJob } from './planning.ts'

type JobDialogProps = {
  /** The job while it is being planned. */
  planning: Planning | undefined
  /** Id of the job in the address. */
  id: string | undefined
}

type View = {
  View: ComponentType<ComponentProps<typeof JobPlan>>
  onClose?: (job: Job) => void
}

const views: Record<Job['state'], View> = {
  planned: { View: JobPlan, onClose: ({ id }) => void forgetPlan(id) },
  running: { View: JobProgress, onClose: sayIsRunning },
  done: { View: JobProgress },
}

/** The job as cached by a list: a dialog opened from there has its final height at once. */
const listedJob = (id: string | undefined): Job | undefined =>
  queryClient
    .getQueriesData<{ items: Job[] }>({ queryKey: ['jobList'] })
    .flatMap(([, page]) => page?.items ?? [])
    .find((job) => job.id === id)

/** A job from its plan to its result. */
export function JobDialog({ planning, id }: JobDialogProps) {
  const polled = useLivePolling(1000)
  const { data, error, refetch } = useQuery({
    ...apiQuery('jobView', { path: { job: id ?? '' } }, { allow404: true }),
    enabled: id !== undefined,
    placeholderData: () => listedJob(id),
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
  const shown = gone || (failed && !planning.instead) ? undefined : job
  const { View } = shown ? views[shown.state] : {}
  const action = shown?.action ?? planning?.request.action
  return (
    <ModalFrame
      title={shown ? jobTitle(shown) : planning ? planningTitle(planning.request) : 'Job'}
      width="wide"
      // A deletion asks for more: further resources to delete, and the confirmation word.
      height={action === 'delete' ? 'high' : 'medium'}
      onDismiss={close}
    >
      {shown && View ? (
        <View job={shown} planning={planning} onDismiss={close} />
      ) : (
        <ModalParts
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
              This job no longer exists. Results are kept for a week, and only the user who started
              a job can see them.
            </p>
          ) : error ? (
            <QueryError error={error} onRetry={refetch} />
          ) : (
            <JobSkeleton />
          )}
        </ModalParts>
      )}
    </ModalFrame>
  )
}

const planningTitle = ({ action, kind, target }: JobCreate) => {
  const { one, many } = nounOf(kind)
  return `${stepVerb(action)} ${target.type === 'ids' && target.ids.length === 1 ? one : many}`
}

const JobSkeleton = () => (
  <div
    aria-busy="true"
    aria-label="Loading"
    role="group"
    className="flex min-h-full flex-col gap-3 pt-1"
  >
    <SkeletonCell width="w-56" />
    <SkeletonCell width="w-32" />
    <ul className="flex-[1_0_10rem] overflow-hidden rounded-card border">
      <ItemSkeletons />
    </ul>
  </div>
)

function sayIsRunning(job: Job) {
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
