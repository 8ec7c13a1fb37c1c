import type { Job } from '@steading/api/client'
import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar'
import { jobProgress } from './job-text.ts'

/** How far a job has come; the part that failed is red. */
export function ProgressBar({ job, label }: { job: Pick<Job, 'counts'>; label: string }) {
  const { all, ended } = jobProgress(job)
  const part = (count: number) => ({ width: `${all === 0 ? 0 : (count / all) * 100}%` })
  return (
    <AriaProgressBar
      aria-label={label}
      value={all === 0 ? 100 : (ended / all) * 100}
      valueLabel={`${ended} of ${all}`}
      className="block"
    >
      <span className="flex h-1.5 overflow-hidden rounded-full bg-line">
        <span className="h-full bg-green" style={part(job.counts.succeeded)} />
        <span className="h-full bg-red" style={part(job.counts.failed)} />
      </span>
    </AriaProgressBar>
  )
}
