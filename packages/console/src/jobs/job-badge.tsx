import type { Job } from '@steading/api/client'
import { CircleMinus } from 'lucide-react'
import { Badge, type BadgeColor } from '../ui/badge.tsx'
import { jobOutcome, type JobOutcome } from './job-text.ts'

const looks: Record<JobOutcome, { label: string; color: BadgeColor }> = {
  planned: { label: 'Planned', color: 'neutral' },
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  cancelled: { label: 'Cancelled', color: 'neutral' },
}

export function JobBadge({ job }: { job: Job }) {
  const outcome = jobOutcome(job)
  const { label, color } = looks[outcome]
  return (
    <Badge
      color={color}
      transitional={outcome === 'running'}
      icon={
        outcome === 'cancelled' ? <CircleMinus size={12} strokeWidth={2} aria-hidden /> : undefined
      }
    >
      {label}
    </Badge>
  )
}
