import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
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

/** Pixels of the heading and the margins, an open step, and one that is done, with their lines. */
const HEADING = 60
const OPEN = 57
const DONE = 41

/** About the height of a list of steps. */
export const roomOfSteps = (steps: readonly { done: boolean }[]): number =>
  steps.length === 0
    ? 0
    : steps.reduce((height, { done }) => height + (done ? DONE : OPEN), HEADING)

/** Steps to take in a new place, with those that are done checked. */
export const StepList = ({ title, steps, onDismiss }: StepListProps) => (
  <Section
    title={title}
    aside={
      <span className="flex items-baseline gap-3">
        <span className="text-tertiary tabular-nums">
          {steps.filter(({ done }) => done).length} of {steps.length} done
        </span>
        {onDismiss && (
          <Button size="sm" variant="ghost" className="-me-2.5" sends onClick={onDismiss}>
            Dismiss
          </Button>
        )}
      </span>
    }
  >
    <Panel>
      <ol className="divide-y divide-line">
        {steps.map(({ id, title: step, why, done, links }, index) => (
          <li
            key={id}
            className={cx('flex items-center gap-3 px-4', done ? 'min-h-10' : 'min-h-14 py-1.5')}
          >
            <span
              aria-hidden
              className={cx(
                'flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium tabular-nums',
                done
                  ? 'border-green-border bg-green-surface text-green-text'
                  : 'border-accent-border bg-accent-surface text-accent-text',
              )}
            >
              {done ? <Check size={14} strokeWidth={2} /> : index + 1}
            </span>
            <div className="min-w-0 flex-1">
              <div className={cx(done ? 'text-secondary' : 'font-medium')}>
                {step}
                {done && <span className="sr-only">, done</span>}
              </div>
              {!done && (
                <p className="truncate text-secondary max-sm:hidden" {...tooltip(why, 'truncated')}>
                  {why}
                </p>
              )}
            </div>
            {!done && (
              <div className="flex shrink-0 flex-wrap justify-end gap-2 max-sm:flex-col">
                {links}
              </div>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  </Section>
)
