import type { ReactNode } from 'react'
import { Meter } from '../../tenancy/utilization/meter.tsx'

type UsedProps = { label: string; used: number; usable: number; children: ReactNode }

/** How much of something a sled or disk has is used, as a bar with its numbers. */
export const Used = ({ label, used, usable, children }: UsedProps) => (
  <div className="flex min-w-0 flex-col gap-1.5">
    <div className="flex items-baseline justify-between gap-3">
      <span className="text-secondary">{label}</span>
      <span className="tabular-nums">{children}</span>
    </div>
    <Meter label={label} used={used} quota={usable} />
  </div>
)
