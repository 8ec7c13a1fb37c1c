import type { Job } from '@steading/api/client'
import { isRestorable } from '@steading/api/rules'
import { useState } from 'react'
import { ALL_ITEMS, call, seed, useApiMutation } from '../../data/api.ts'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ModalParts } from '../../ui/modal.tsx'
import { formatNumber } from '../../ui/number.ts'
import { TimeAgo } from '../../ui/time.tsx'
import { errorToast } from '../../ui/toasts.tsx'
import { useRestorableHours } from '../deleted-resources/restorable.tsx'
import { TagsChangeView } from '../tags/tag-chip.tsx'
import { JobItems } from './job-items.tsx'
import { isRunning } from './queries.ts'
import { jobProgress, resultText } from './job-text.ts'
import { usePlanJob } from './open-job.ts'
import { ProgressBar } from './job-status.tsx'

/** The progress of a job, and the state of each item. */
export function JobProgress({ job, onDismiss }: { job: Job; onDismiss: () => void }) {
  const { counts } = job
  const { all, ended } = jobProgress(job)
  const show = { onSuccess: (next: Job) => showJob(next) }
  const cancel = useApiMutation('jobCancel', show)
  const retry = useApiMutation('jobRetry', show)
  const error = cancel.error ?? retry.error
  const running = isRunning(job)
  const again = [
    counts.failed > 0 && `${formatNumber(counts.failed)} failed`,
    counts.cancelled > 0 && `${formatNumber(counts.cancelled)} cancelled`,
  ].filter(Boolean)
  return (
    <ModalParts
      footer={
        <footer className="flex shrink-0 items-center gap-2 border-t bg-raised px-5 py-3">
          <span className="me-auto">
            {running && (
              <Button
                loading={cancel.isPending}
                sends
                disabledReason={counts.waiting === 0 && 'Every item has started'}
                onClick={() => cancel.mutate({ path: { job: job.id } })}
              >
                Cancel the rest
              </Button>
            )}
          </span>
          {!running && again.length > 0 && (
            <Button
              loading={retry.isPending}
              sends
              onClick={() => retry.mutate({ path: { job: job.id } })}
            >
              Retry {again.join(' and ')}
            </Button>
          )}
          {!running && <UndoJob job={job} />}
          <Button variant="primary" onClick={onDismiss}>
            Close
          </Button>
        </footer>
      }
    >
      <div className="flex min-h-full flex-col gap-4 pt-1">
        <ErrorBanner messages={error ? [error.message] : []} />
        <div className="flex flex-col gap-2">
          <div className="flex items-baseline justify-between gap-4">
            <span className="text-base font-medium text-primary tabular-nums">
              {resultText(job)}
            </span>
            {/* Only the end is announced. */}
            <output className="sr-only">{running ? 'Running' : `Done: ${resultText(job)}`}</output>
            <span className="text-xs whitespace-nowrap tabular-nums">
              {formatNumber(ended)} of {formatNumber(all)}
            </span>
          </div>
          <ProgressBar job={job} label="Progress" />
          <p className="min-h-lh text-xs">
            {running ? (
              'Continues in the background when you close this or leave.'
            ) : job.timeFinished ? (
              <>
                Finished <TimeAgo date={job.timeFinished} caption="Finished" ago />
              </>
            ) : null}
          </p>
        </div>
        {job.tags && <TagsChangeView {...job.tags} />}
        <JobItems job={job} suggested={!running && counts.failed > 0 ? 'failed' : undefined} />
      </div>
    </ModalParts>
  )
}

/** Plans to restore everything that a job has deleted. */
function UndoJob({ job }: { job: Job }) {
  const { id, action, kind, projectName, counts } = job
  const hours = useRestorableHours(kind)
  const plan = usePlanJob()
  const [reading, setReading] = useState(false)
  if (action !== 'delete' || hours === 0 || !projectName || counts.succeeded === 0) return null
  const restore = async () => {
    setReading(true)
    try {
      const ids: string[] = []
      let pageToken: string | undefined
      do {
        const query = { state: 'succeeded', limit: ALL_ITEMS, pageToken } as const
        const { items, nextPage } = await call('jobItemList', { path: { job: id }, query })
        const deleted = items.filter(
          ({ step, thing }) => step === 'delete' && isRestorable(thing.kind),
        )
        ids.push(...deleted.map(({ thing }) => thing.id))
        pageToken = nextPage ?? undefined
      } while (pageToken)
      const target = { type: 'ids', ids } as const
      plan({ action: 'restore', kind: 'deleted_resource', project: projectName, target })
    } catch (error) {
      errorToast('Could not undo', error instanceof Error ? error.message : String(error))
    }
    setReading(false)
  }
  return (
    <Button sends loading={reading} onClick={() => void restore()}>
      Undo
    </Button>
  )
}

function showJob(job: Job) {
  seed('jobView', { path: { job: job.id } }, job)
}
