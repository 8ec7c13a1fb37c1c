import type { Job } from '@steading/api/client'
import { CircleMinus } from 'lucide-react'
import { StateBadge, type StateTone } from '../ui/state-badge.tsx'
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
      icon={
        outcome === 'cancelled' ? <CircleMinus size={12} strokeWidth={2} aria-hidden /> : undefined
      }
    >
      {label}
    </StateBadge>
  )
}
