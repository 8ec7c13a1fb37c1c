import type { ReactNode } from 'react'
import { Check, CircleDashed, Octagon, Square, TriangleAlert, Wrench } from 'lucide-react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'
import { useMinimumTime } from './use-minimum-time.ts'

export type BadgeColor = 'accent' | 'green' | 'amber' | 'red' | 'blue' | 'violet' | 'neutral'

const colors: Record<BadgeColor, string> = {
  accent: 'bg-accent-surface border-accent-border text-accent-text',
  green: 'bg-green-surface border-green-border text-green-text',
  amber: 'bg-amber-surface border-amber-border text-amber-text',
  red: 'bg-red-surface border-red-border text-red-text',
  blue: 'bg-blue-surface border-blue-border text-blue-text',
  violet: 'bg-violet-surface border-violet-border text-violet-text',
  neutral: 'bg-hover border-line-strong text-secondary',
}

const shape = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const

/** A shape per colour, so that colour is never the only sign of a state. */
const shapes: Record<BadgeColor, ReactNode> = {
  accent: <span aria-hidden className="size-1.5 rounded-full bg-current" />,
  green: <Check {...shape} />,
  amber: <TriangleAlert {...shape} />,
  red: <Octagon {...shape} />,
  blue: <CircleDashed {...shape} />,
  violet: <Wrench {...shape} />,
  neutral: <Square {...shape} size={10} />,
}

type BadgeProps = {
  color?: BadgeColor
  /** Shows a spinner in place of the shape while something is under way, 500 ms at least. */
  transitional?: boolean
  /** Another shape, or `false` for a plain label. */
  icon?: ReactNode | false
  children: ReactNode
}

export function Badge({ color = 'neutral', transitional = false, icon, children }: BadgeProps) {
  const spinning = useMinimumTime(transitional, 500)
  const mark = spinning ? <Spinner size={11} /> : icon === undefined ? shapes[color] : icon
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1.5 rounded-full border px-2 text-xs font-medium whitespace-nowrap',
        colors[color],
      )}
    >
      {mark && <span className="flex w-3 items-center justify-center">{mark}</span>}
      {children}
    </span>
  )
}
