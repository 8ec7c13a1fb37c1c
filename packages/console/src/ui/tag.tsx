import type { ReactNode } from 'react'

/** A short label for a fixed property: a kind, a version, "primary". */
export const Tag = ({ children }: { children: ReactNode }) => (
  <span className="inline-flex h-5 items-center rounded-sm align-middle border border-line-strong px-1.5 text-xs whitespace-nowrap text-secondary">
    {children}
  </span>
)
