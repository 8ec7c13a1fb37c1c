import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { Panel, Section } from '../overview/section.tsx'

/** A step with the buttons that lead to where it is done. */
export type ListedStep = {
  id: string
  title: string
  why: string
  done: boolean
  links: ReactNode
}

type StepListProps = {
  title: string
  steps: readonly ListedStep[]
  /** Hides the list for good. */
  onDismiss?: () => void
}

/** Pixels of the heading and the margins, an open step, and the line of those that are done. */
const HEADING = 51
const OPEN = 57
const DONE = 41

/** About the height of a list of steps. */
export function roomOfSteps(steps: readonly { done: boolean }[]): number {
  const open = steps.filter(({ done }) => !done).length
  if (open === 0) return 0
  return HEADING + open * OPEN + (open < steps.length ? DONE : 0)
}

/** Steps to take in a new place: those that are left, and then those that are done. */
export function StepList({ title, steps, onDismiss }: StepListProps) {
  const done = steps.filter((step) => step.done)
  return (
    <Section
      title={title}
      aside={
        <span className="flex items-baseline gap-3">
          <span className="text-tertiary tabular-nums">
            {done.length} of {steps.length} done
          </span>
          {onDismiss && (
            <Button size="sm" variant="ghost" className="-my-1 -me-2.5" sends onClick={onDismiss}>
              Dismiss
            </Button>
          )}
        </span>
      }
    >
      <Panel>
        <ol className="divide-y divide-line">
          {steps
            .filter((step) => !step.done)
            .map((step) => (
              <OpenStep key={step.id} {...step} />
            ))}
        </ol>
        {done.length > 0 && (
          <ul
            aria-label="Done"
            className="flex min-h-10 flex-wrap items-center gap-x-5 gap-y-1 border-t px-4 py-2 text-tertiary"
          >
            {done.map(({ id, title: step }) => (
              <li key={id} className="flex items-center gap-1.5">
                <Check size={14} strokeWidth={2} aria-hidden className="text-green-text" />
                {step}
                <span className="sr-only">, done</span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </Section>
  )
}

const OpenStep = ({ title, why, links }: ListedStep) => (
  <li className="flex min-h-14 items-center gap-3 px-4 py-1.5">
    <span
      aria-hidden
      className="size-4 shrink-0 rounded-full border-2 border-accent-border bg-accent-surface"
    />
    <div className="min-w-0 flex-1">
      <div className="font-medium">{title}</div>
      <p className="truncate text-secondary max-sm:hidden" {...tooltip(why, 'truncated')}>
        {why}
      </p>
    </div>
    <div className="flex shrink-0 flex-wrap justify-end gap-2 max-sm:flex-col">{links}</div>
  </li>
)
