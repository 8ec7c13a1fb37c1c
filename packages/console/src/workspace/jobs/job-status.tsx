import type { Job } from '@steading/api/client'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { jobOutcome, type JobOutcome } from './queries.ts'
import { jobProgress } from './job-text.ts'

const looks: Record<JobOutcome, { label: string; tone: StateTone }> = {
  planned: { label: 'Planned', tone: 'off' },
  running: { label: 'Running', tone: 'changing' },
  done: { label: 'Done', tone: 'works' },
  failed: { label: 'Failed', tone: 'failed' },
  cancelled: { label: 'Cancelled', tone: 'off' },
}

export function JobBadge({ job }: { job: Job }) {
  const outcome = jobOutcome(job)
  const { label, tone } = looks[outcome]
  return (
    <StateBadge
      tone={tone}
      transitional={outcome === 'running'}
      shape={outcome === 'cancelled' ? 'circle-minus' : undefined}
    >
      {label}
    </StateBadge>
  )
}

/** Progress of a job; the failed part is red. */
export function ProgressBar({ job, label }: { job: Pick<Job, 'counts'>; label: string }) {
  const { all, ended } = jobProgress(job)
  const part = (count: number) => ({ width: `${all === 0 ? 0 : (count / all) * 100}%` })
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={all === 0 ? 100 : Math.round((ended / all) * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${ended} of ${all}`}
      className="flex h-1.5 overflow-hidden rounded-full bg-line"
    >
      <span className="h-full bg-green" style={part(job.counts.succeeded)} />
      <span className="h-full bg-red" style={part(job.counts.failed)} />
    </span>
  )
}
