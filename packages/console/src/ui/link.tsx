import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'
import { ArrowUpRight } from 'lucide-react'
import { cx } from './cx.ts'
import { tooltip } from './tooltip.tsx'

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }

/** A link inside text. */
export const TextLink = createLink(({ className, children, ...props }: AnchorProps) => (
  <a {...props} className={cx('link rounded-sm', className)}>
    {children}
  </a>
))

/** The link of a table row: fills the whole cell. */
export const CellLink = createLink(({ className, children, ...props }: AnchorProps) => (
  <a
    {...props}
    className={cx(
      'cell-link block truncate font-medium text-accent-text underline-offset-2 hover:underline',
      className,
    )}
    {...tooltip(typeof children === 'string' ? children : undefined, 'truncated')}
  >
    {children}
  </a>
))

export function ExternalLink({ children, className, ...props }: AnchorProps) {
  return (
    <a {...props} target="_blank" rel="noreferrer" className={cx('link rounded-sm', className)}>
      {children}
      <ArrowUpRight
        size={14}
        strokeWidth={1.5}
        className="ml-0.5 inline align-[-2px]"
        aria-hidden
      />
    </a>
  )
}
