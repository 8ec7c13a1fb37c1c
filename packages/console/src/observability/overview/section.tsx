import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

type SectionProps = {
  title: string
  /** Content beside the heading. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A section with its heading. */
export const Section = ({ title, aside, className, children }: SectionProps) => (
  <section aria-label={title} className={cx('min-w-0', className)}>
    <div className="mb-3 flex items-baseline justify-between gap-3">
      <h2 className="text-lg font-semibold tracking-[-0.01em]">{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)

/** The frame of a section's content. */
export const Panel = ({ children }: { children: ReactNode }) => (
  <div className="overflow-clip rounded-card border bg-raised">{children}</div>
)
