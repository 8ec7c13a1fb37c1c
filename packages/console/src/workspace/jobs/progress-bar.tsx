import type { Job } from '@steading/api/client'
import { jobProgress } from './job-text.ts'

/** How far a job has come; the part that failed is red. */
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
