import type { ReactNode } from 'react'

type SectionProps = {
  title: string
  /** Content beside the heading. */
  aside?: ReactNode
  children: ReactNode
}

/** A section with its heading. */
export const Section = ({ title, aside, children }: SectionProps) => (
  <section aria-label={title} className="min-w-0">
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
