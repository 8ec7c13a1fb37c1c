import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { SubFormButtons } from '../ui/form/mini-table.tsx'

/** Whether Enter chooses an option of an open list. */
const choosesOption = (input: HTMLInputElement) => input.hasAttribute('aria-activedescendant')

type SubFormProps = {
  addLabel: string
  /** The entry is not blank. */
  addable: boolean
  clearable: boolean
  /** Adds the entry. */
  onAdd: () => void
  onClear: () => void
  /** Message for a full list. */
  full?: string
  children: ReactNode
}

/**
 * Fields whose values are added to a list. Enter adds without submitting the form around it;
 * the first field then takes the focus for the next entry.
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
