import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { useFormState, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { cx } from '../../../ui/cx.ts'
import { FieldError } from '../../../ui/form/field.tsx'
import type { InstanceValues } from './values.ts'

/** A section of the form, with its heading on the left on wide screens. */
export function Section({ title, children }: { title?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className="flex flex-col gap-5 border-b py-7 first:pt-2 last:border-b-0"
    >
      {title && (
        <h2 id={id} className="text-lg font-semibold tracking-[-0.005em]">
          {title}
        </h2>
      )}
      {children}
    </section>
  )
}

type FormTabsProps<Id extends string> = {
  label: string
  tabs: readonly { id: Id; label: string }[]
  selected: Id
  onSelect: (id: Id) => void
  children: ReactNode
}

/** Tabs between groups of fields. Only the selected group is validated and sent. */
export function FormTabs<Id extends string>(props: FormTabsProps<Id>) {
  const { label, tabs, selected, onSelect, children } = props
  const id = useId()
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (!step) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.id === selected)
    const next = tabs.at((at + step) % tabs.length)!
    onSelect(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <div>
      <div className="mb-4 border-b">
        <div
          role="tablist"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={move}
          // The label of the first tab aligns with the fields below, and so does its underline.
          className="-mx-2.5 -mb-px flex gap-1 overflow-x-auto [scrollbar-width:none] max-sm:-mx-1.5 max-sm:gap-0.5"
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              id={`${id}-${tab.id}`}
              type="button"
              role="tab"
              aria-selected={tab.id === selected}
              aria-controls={tab.id === selected ? `${id}-panel` : undefined}
              tabIndex={tab.id === selected ? 0 : -1}
              onClick={() => onSelect(tab.id)}
              className={cx(
                'focus-inset relative flex h-9 shrink-0 items-center px-2.5 text-secondary max-sm:px-1.5 select-none hover:text-primary',
                'aria-selected:text-primary aria-selected:after:absolute aria-selected:after:inset-x-2.5 max-sm:aria-selected:after:inset-x-1.5 aria-selected:after:bottom-0 aria-selected:after:border-b-2 aria-selected:after:border-accent',
              )}
            >
              {tab.label}
            </button>
          ))}
        </div>
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${selected}`}
        className="flex flex-col gap-5"
      >
        {children}
      </div>
    </div>
  )
}

/** Placeholder for an empty list of choices. */
export const NothingHere = ({ title, body }: { title: string; body: string }) => (
  <div className="rounded-card border border-dashed border-line-strong px-4 py-6 text-center">
    <div className="font-medium">{title}</div>
    <div className="text-secondary">{body}</div>
  </div>
)

type Props = { form: UseFormReturn<InstanceValues>; name: FieldPath<InstanceValues> }

/**
 * The API error about a part of the form with several fields. It is focusable, so the next Tab
 * moves to the controls of that part.
 */
export function Problem({ form: { control, getFieldState }, name }: Props) {
  const state = useFormState({ control, name })
  const message = getFieldState(name, state).error?.message
  return (
    <div
      data-problem={name}
      tabIndex={-1}
      // Takes no space while there is no error.
      className={message ? 'rounded-sm' : 'contents'}
    >
      <FieldError id={`problem-${name}`} error={message} />
    </div>
  )
}
