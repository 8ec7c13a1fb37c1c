import type { Job } from '@steading/api/client'
import { ListTodo } from 'lucide-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { refetchShown, useApiMutation, whenReread } from '../../data/api.ts'
import { samePage } from '../../data/addresses.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { JobBadge, ProgressBar } from './job-status.tsx'
import { isRunning, jobsQuery } from './queries.ts'
import { jobProgress, jobTitle, resultText } from './job-text.ts'
import { useShowJob } from './open-job.ts'
import { usePages } from '../../page/use-pages.ts'
import { withJob } from './planning.ts'
import { PagedTable } from '../../page/loaded-table.tsx'
import type { Column } from '../../ui/column.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { QueryTabs } from '../../ui/tabs.tsx'
import { CellLinkHere } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { PageHeader, RefreshButton } from '../../ui/page-header.tsx'
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

const ActionsList = lazyPart(() =>
  import('./actions-list.tsx').then((module) => ({ default: module.ActionsList })),
)

/** The user's jobs, and single actions of the user or of everyone. */
export function JobsPage() {
  const hasActions = useCapability('ownActions')
  const navigate = useNavigate()
  const { tab = 'jobs' } = useSearch({ from: '/shell/silo/jobs' })
  return (
    <>
      <PageHeader title="Jobs" icon={<ListTodo strokeWidth={1.5} aria-hidden />}>
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      {hasActions ? (
        <QueryTabs
          label="Tasks"
          tabs={[
            { id: 'jobs', label: 'Jobs', content: tab === 'jobs' && <JobList /> },
            {
              id: 'actions',
              label: 'Single actions',
              content: tab === 'actions' && <ActionsList />,
            },
          ]}
          selected={tab}
          onSelect={(id) =>
            void navigate({
              ...samePage({ tab: id === 'jobs' ? undefined : id }),
              replace: true,
            })
          }
          panelClass="pt-4"
        />
      ) : (
        <JobList />
      )}
    </>
  )
}

function JobList() {
  const polled = useLivePolling(1000)
  const read = usePages<Job>((pageToken) => ({
    ...jobsQuery(pageToken),
    refetchInterval: ({ state }) => Boolean(state.data?.items.some(isRunning)) && polled,
  }))
  const actions = useJobActions()
  return (
    <PagedTable
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
  )
}

function useJobActions(): (job: Job) => MenuAction[] {
  const show = useShowJob()
  const outcome = (title: string) => ({
    onSuccess: whenReread,
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
