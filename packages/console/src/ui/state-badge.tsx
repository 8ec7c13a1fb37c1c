import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'
import { useMinimumTime } from './steady-value.ts'

/** The meaning of a state to its reader, for any kind. */
export type StateTone = 'works' | 'off' | 'changing' | 'attention' | 'failed'

/**
 * A colour and a shape per tone, so that a state is never shown by colour alone. The accent is
 * reserved for buttons, links and selection.
 */
const looks: Record<StateTone, { className: string; shape: Shape }> = {
  works: { className: 'bg-green-surface border-green-border text-green-text', shape: 'check' },
  off: { className: 'bg-hover border-line-strong text-secondary', shape: 'square' },
  changing: {
    className: 'bg-amber-surface border-amber-border text-amber-text',
    shape: 'dashed-circle',
  },
  attention: {
    className: 'bg-amber-surface border-amber-border text-amber-text',
    shape: 'warning',
  },
  failed: { className: 'bg-red-surface border-red-border text-red-text', shape: 'octagon-cross' },
}

/** Shapes from `shapes.css`. */
type Shape = 'check' | 'square' | 'dashed-circle' | 'warning' | 'octagon-cross' | 'circle-minus'

/** The shape of a state in a circle, where a badge does not fit and the word is elsewhere. */
export const StateShape = ({ tone }: { tone: StateTone }) => (
  <span
    aria-hidden
    className={cx(
      'flex size-5 shrink-0 items-center justify-center rounded-full border',
      looks[tone].className,
      `shape shape-${looks[tone].shape}`,
    )}
  />
)

type StateBadgeProps = {
  tone: StateTone
  /** Shows a spinner instead of the shape during a transition, for at least 500 ms. */
  transitional?: boolean
  /** Overrides the shape of the tone. */
  shape?: Shape
  /** Name of the state. */
  children: ReactNode
}

export function StateBadge(props: StateBadgeProps) {
  const { tone, transitional = false, children } = props
  const spinning = useMinimumTime(transitional, 500)
  const look = looks[tone]
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1.5 rounded-full align-middle border px-2 text-xs font-medium whitespace-nowrap transition-colors duration-150',
        look.className,
        !spinning && `shape shape-${props.shape ?? look.shape}`,
      )}
    >
      {spinning && <Spinner size={12} />}
      {children}
    </span>
  )
}
