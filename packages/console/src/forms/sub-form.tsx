import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { SubFormButtons } from '../ui/form/mini-table.tsx'

/** Whether Enter chooses an option of an open list. */
const choosesOption = (input: HTMLInputElement) => input.hasAttribute('aria-activedescendant')

type SubFormProps = {
  addLabel: string
  /** There is something to add. */
  addable: boolean
  clearable: boolean
  /** Adds what was entered. */
  onAdd: () => void
  onClear: () => void
  /** The list is as long as it may be. */
  full?: string
  children: ReactNode
}

/**
 * Fields whose values are added to a list. Enter adds, and does not submit the form around it; the
 * focus is then in the first field, for the next value.
 */
export function SubForm(props: SubFormProps) {
  const { addLabel, addable, clearable, onAdd, onClear, full, children } = props
  const fields = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, nativeEvent } = event
    if (key !== 'Enter' || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return
    if (choosesOption(target)) return
    event.preventDefault()
    event.stopPropagation()
    if (!addable || full) return
    fields.current?.querySelector<HTMLElement>('button, input')?.focus()
    onAdd()
  }
  return (
    <div className="flex flex-col gap-3">
      <div ref={fields} onKeyDownCapture={onKeyDown} className="flex flex-col gap-3">
        {children}
      </div>
      <SubFormButtons
        addLabel={addLabel}
        onAdd={onAdd}
        addable={addable && !full}
        onClear={onClear}
        clearable={clearable}
      />
      {full && <p className="text-xs text-secondary">{full}</p>}
    </div>
  )
}
