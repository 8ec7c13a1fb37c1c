import type { Job } from '@steading/api/client'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { jobOutcome, type JobOutcome } from './job-state.ts'

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
