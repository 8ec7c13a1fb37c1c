import type { ReactNode } from 'react'
import { Check, CircleDashed, OctagonX, Square, TriangleAlert } from 'lucide-react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'
import { useMinimumTime } from './use-minimum-time.ts'

/** What a state means to the person who reads it, whatever the thing is. */
export type StateTone = 'works' | 'off' | 'changing' | 'attention' | 'failed'

const shape = { size: 12, strokeWidth: 2.25, 'aria-hidden': true } as const

/**
 * A colour and a shape per tone, so that colour is never the only sign of a state. None is the
 * accent, which belongs to buttons, links and selection.
 */
const looks: Record<StateTone, { className: string; shape: ReactNode }> = {
  works: {
    className: 'bg-green-surface border-green-border text-green-text',
    shape: <Check {...shape} />,
  },
  off: {
    className: 'bg-hover border-line-strong text-secondary',
    shape: <Square {...shape} size={9} />,
  },
  changing: {
    className: 'bg-amber-surface border-amber-border text-amber-text',
    shape: <CircleDashed {...shape} />,
  },
  attention: {
    className: 'bg-amber-surface border-amber-border text-amber-text',
    shape: <TriangleAlert {...shape} />,
  },
  failed: {
    className: 'bg-red-surface border-red-border text-red-text',
    shape: <OctagonX {...shape} />,
  },
}

type StateBadgeProps = {
  tone: StateTone
  /** Shows a spinner in place of the shape while something is under way, 500 ms at least. */
  transitional?: boolean
  /** Another shape than that of the tone. */
  icon?: ReactNode
  /** The word for the state. */
  children: ReactNode
}

export function StateBadge({ tone, transitional = false, icon, children }: StateBadgeProps) {
  const spinning = useMinimumTime(transitional, 500)
  const look = looks[tone]
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1.5 rounded-full align-middle border px-2 text-xs font-medium whitespace-nowrap',
        look.className,
      )}
    >
      <span className="flex w-3 items-center justify-center">
        {spinning ? <Spinner size={11} /> : (icon ?? look.shape)}
      </span>
      {children}
    </span>
  )
}
