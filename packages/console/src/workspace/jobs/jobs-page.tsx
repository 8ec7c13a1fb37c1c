import type { Job } from '@steading/api/client'
import { ListTodo } from 'lucide-react'
import { invalidate, useApiMutation } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { JobBadge, ProgressBar } from './job-status.tsx'
import { isRunning, jobsQuery } from './queries.ts'
import { jobProgress, jobTitle, resultText } from './job-text.ts'
import { refreshJobs, useShowJob } from './open-job.ts'
import { usePages } from '../../page/use-pages.ts'
import { withJob } from './planning.ts'
import { BottomBar } from '../../ui/bottom-bar.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLinkHere } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { DateTime } from '../../ui/time.tsx'
import { errorToast } from '../../ui/toasts.tsx'

const columns: Column<Job>[] = [
  {
    id: 'job',
    header: 'job',
    cell: (job) => (
      <CellLinkHere to="." search={withJob(job.id)}>
        {jobTitle(job)}
      </CellLinkHere>
    ),
  },
  {
    id: 'state',
    header: 'state',
    width: 136,
    phone: 'first',
    cell: (job) => <JobBadge job={job} />,
  },
  {
    id: 'result',
    header: 'result',
    phone: 'second',
    cell: (job) =>
      isRunning(job) ? (
        <span className="flex items-center gap-3">
          <span className="w-32">
            <ProgressBar job={job} label={jobTitle(job)} />
          </span>
          <span className="text-xs text-tertiary">
            {jobProgress(job).ended} of {jobProgress(job).all}
          </span>
        </span>
      ) : (
        resultText(job)
      ),
  },
  {
    id: 'started',
    header: 'started',
    width: 176,
    cell: ({ timeStarted }) => timeStarted && <DateTime date={timeStarted} />,
  },
  {
    id: 'finished',
    header: 'finished',
    width: 176,
    cell: ({ timeFinished }) => timeFinished && <DateTime date={timeFinished} />,
  },
]

export function JobsPage() {
  const polled = useLivePolling(1000)
  const { pagination, ...read } = usePages<Job>((pageToken) => ({
    ...jobsQuery(pageToken),
    refetchInterval: ({ state }) => Boolean(state.data?.items.some(isRunning)) && polled,
  }))
  const actions = useJobActions()
  return (
    <>
      <PageHeader title="Jobs" icon={<ListTodo strokeWidth={1.5} aria-hidden />}>
        <RefreshButton onRefresh={() => invalidate('jobList')} />
      </PageHeader>
      <LoadedTable
        what="The jobs"
        label="Jobs"
        columns={columns}
        read={read}
        actions={actions}
        empty={{
          icon: ListTodo,
          title: 'No jobs',
          body: 'Bulk actions appear here, with the result for each item',
        }}
      />
      <BottomBar>
        <Pagination {...pagination} />
      </BottomBar>
    </>
  )
}

function useJobActions(): (job: Job) => MenuAction[] {
  const show = useShowJob()
  const outcome = (title: string) => ({
    onSuccess: () => refreshJobs(),
    onError: (error: Error) => errorToast(title, error.message),
  })
  const { mutate: cancel } = useApiMutation('jobCancel', outcome('Could not cancel the job'))
  const { mutate: retry } = useApiMutation('jobRetry', outcome('Could not retry'))
  const { mutate: forget } = useApiMutation('jobDelete', outcome('Could not remove the job'))
  return (job) => {
    const { id, counts } = job
    const args = { path: { job: id } }
    const running = isRunning(job)
    return [
      { label: 'View', local: true, onAction: () => show(id) },
      {
        label: 'Cancel the rest',
        disabledReason: running
          ? counts.waiting === 0 && 'Every item has started'
          : 'Only a running job can be cancelled',
        onAction: () => cancel(args),
      },
      {
        label: 'Retry',
        disabledReason: running
          ? 'The job is still running'
          : counts.failed + counts.cancelled === 0 && 'Nothing has failed',
        onAction: () => retry(args),
      },
      {
        label: 'Remove from the list',
        disabledReason: running && 'The job is still running',
        onAction: () => forget(args),
      },
    ]
  }
}
