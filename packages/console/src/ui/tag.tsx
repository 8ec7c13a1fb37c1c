import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** The weight of a property: a weak one is an outline, a strong one is filled. */
export type TagStrength = 'weak' | 'medium' | 'strong'

const looks: Record<TagStrength, string> = {
  weak: 'border-line-strong text-secondary',
  medium: 'border-accent-border bg-accent-surface text-accent-text',
  strong: 'border-accent bg-accent text-on-accent',
}

/** A short label for a fixed property: a kind, a version, "primary". */
export const Tag = ({
  strength = 'weak',
  children,
}: {
  strength?: TagStrength
  children: ReactNode
}) => (
  <span
    className={cx(
      'inline-flex h-5 items-center rounded-sm border px-1.5 align-middle text-xs whitespace-nowrap',
      looks[strength],
    )}
  >
    {children}
  </span>
)
