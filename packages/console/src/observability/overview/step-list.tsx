import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Panel, Section } from './section.tsx'

/** A step with the links that lead to where it is done. */
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
          <Button size="sm" variant="ghost" className="-me-2.5" onClick={onDismiss}>
            Dismiss
          </Button>
        )}
      </span>
    }
  >
    <Panel>
      <ol className="divide-y divide-line">
        {steps.map(({ id, title, why, done, links }, index) => (
          <li key={id} className="flex items-start gap-3 px-4 py-3">
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
              <div className={cx('font-medium', done && 'text-secondary')}>
                {title}
                {done && <span className="sr-only">, done</span>}
              </div>
              {!done && <p className="text-secondary">{why}</p>}
            </div>
            {!done && links}
          </li>
        ))}
      </ol>
    </Panel>
  </Section>
)
