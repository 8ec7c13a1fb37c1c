import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'

/** The facts that bring people to the page of a resource, in a card above its other properties. */
export const Glance = ({ children, className }: { children: ReactNode; className?: string }) => (
  <dl
    aria-label="At a glance"
    className={`flex min-w-0 flex-col justify-evenly divide-y rounded-card border bg-raised ${className ?? ''}`}
  >
    {children}
  </dl>
)

type GlanceRowProps = {
  label: string
  /** For a value that arrives late: it is cut instead of making the row higher. */
  oneLine?: boolean
  children: ReactNode
}

/** A fact, with room for its value before it arrives. */
export const GlanceRow = ({ label, oneLine, children }: GlanceRowProps) => (
  <div className="flex min-h-11 min-w-0 items-center gap-4 px-4 py-1.5">
    <dt className="w-24 shrink-0 text-secondary">{label}</dt>
    <dd className={cx('flex min-w-0 flex-1 items-center gap-x-3 gap-y-1', !oneLine && 'flex-wrap')}>
      {children}
    </dd>
  </div>
)
