import { useId, useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Select, SelectValue } from 'react-aria-components/Select'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { Check, ChevronDown } from 'lucide-react'
import { TriggeredFrame } from '../popup-frame.tsx'
import { Truncate } from '../text.tsx'
import { describedBy, FieldFrame, labelOf, type FieldProps } from './field.tsx'
import {
  FieldSign,
  noOptions,
  optionContent,
  optionClass,
  optionsFrameClass,
  useChoices,
  type ChoicesProps,
} from './options.tsx'

type ListboxProps = ChoicesProps & {
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  value: string | null
  onChange: (value: string) => void
  placeholder?: string
  disabled?: boolean
  invalid?: boolean
  onBlur?: () => void
  buttonRef?: (element: HTMLButtonElement | null) => void
  className?: string
}

/** A button with a list of options, usable outside of forms. */
export function Listbox(props: ListboxProps) {
  const { id, options, value, onChange, placeholder = 'Select an option', invalid } = props
  const { empty = 'No items', disabled, onBlur, buttonRef, className } = props
  const choices = useChoices({ ...props, empty })
  const { row, loading, failed } = choices
  const shown = row ? [...options, row] : options
  // A field disabled for another reason does not claim to have no options.
  const none = shown.length === 0 && !loading && !disabled
  const [open, setOpen] = useState(false)
  // The library closes the list after each choice, but a retry waits in the open list.
  const stays = useRef(false)
  return (
    <Select
      aria-label={props['aria-label']}
      aria-labelledby={props['aria-labelledby']}
      aria-describedby={props['aria-describedby']}
      value={value}
      onChange={(key) => {
        if (key === null) return
        if (!choices.act(String(key))) onChange(String(key))
        else stays.current = choices.staysOpen
      }}
      isOpen={open}
      onOpenChange={(next) => {
        setOpen(next || stays.current)
        stays.current = false
      }}
      isDisabled={Boolean(disabled || none)}
      isInvalid={invalid}
      // A click during loading opens the list, which then shows the options.
      allowsEmptyCollection={loading}
      className={className ?? 'w-full'}
    >
      <AriaButton
        id={id}
        ref={buttonRef}
        onBlur={onBlur}
        className="field-control flex items-center gap-2 text-start"
        data-invalid={invalid || undefined}
      >
        <SelectValue className="min-w-0 flex-1 data-placeholder:text-tertiary">
          {() => (
            <Truncate
              text={
                options.find((option) => option.value === value)?.label ??
                choices.placeholder ??
                (options.length === 0 && !disabled ? empty : placeholder)
              }
            />
          )}
        </SelectValue>
        <FieldSign loading={loading} failed={failed}>
          <ChevronDown size={16} strokeWidth={1.5} aria-hidden className="text-tertiary" />
        </FieldSign>
      </AriaButton>
      <TriggeredFrame className={optionsFrameClass}>
        <ListBox
          // A new list takes the focus from the row of its predecessor.
          key={row ? 'row' : 'options'}
          items={shown}
          className="max-h-72 overflow-y-auto outline-none"
          renderEmptyState={() => noOptions(loading, empty)}
        >
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className={optionClass}>
              {({ isSelected }) => (
                <>
                  <span className="min-w-0 flex-1">{optionContent(option)}</span>
                  {isSelected && (
                    <Check size={16} strokeWidth={1.5} aria-hidden className="text-accent-text" />
                  )}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </TriggeredFrame>
    </Select>
  )
}

type ListboxFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> &
  ChoicesProps & { onChange?: (value: string) => void }

export function ListboxField<T extends FieldValues, N extends FieldPath<T>>(
  props: ListboxFieldProps<T, N>,
) {
  const { name, control, label = labelOf(name), description, tip, required = true } = props
  const { options, loading, failure, empty, whenEmpty } = props
  const { disabled, placeholder, validate, onChange } = props
  const id = useId()
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({
    name,
    control,
    rules: {
      validate: validate ?? ((value) => (required && !value ? `${label} is required` : undefined)),
    },
  })
  const error = fieldState.error?.message
  return (
    <FieldFrame {...{ id, label, required, description, tip, error }}>
      <Listbox
        id={id}
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy(id, description, error)}
        {...{ options, loading, failure, empty, whenEmpty }}
        value={field.value ?? null}
        onChange={(value) => {
          field.onChange(value)
          onChange?.(value)
        }}
        placeholder={placeholder}
        disabled={disabled}
        invalid={Boolean(error)}
        onBlur={field.onBlur}
        buttonRef={ref}
      />
    </FieldFrame>
  )
}
