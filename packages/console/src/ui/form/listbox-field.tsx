import { useId, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Select, SelectValue } from 'react-aria-components/Select'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { Check, ChevronDown } from 'lucide-react'
import { TriggeredFrame } from '../popup-frame.tsx'
import { Spinner } from '../spinner.tsx'
import { describedBy, FieldFrame, labelOf, type FieldProps } from './field.tsx'

export type Option = {
  value: string
  /** Text for filtering and for the closed control. */
  label: string
  /** What the list shows, if more than the label. */
  content?: ReactNode
}

export const optionsFrameClass =
  'max-h-(--available-height) w-(--trigger-width)! animate-[fade-in_100ms_ease-out]'
export const optionClass =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none data-focused:bg-hover'

const LOADING = 'Loading…'

/** What an open list says if it has no options to show. */
export const noOptions = (loading: boolean | undefined, text: string) => (
  <div className="px-2 py-1.5 text-tertiary">{loading ? LOADING : text}</div>
)

type ListboxProps = {
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  options: Option[]
  value: string | null
  onChange: (value: string) => void
  placeholder?: string
  /** The text if there are no options. */
  empty?: string
  disabled?: boolean
  loading?: boolean
  invalid?: boolean
  onBlur?: () => void
  buttonRef?: (element: HTMLButtonElement | null) => void
  className?: string
}

/** A button and its options, without a form around it. */
export function Listbox(props: ListboxProps) {
  const { id, options, value, onChange, placeholder = 'Select an option', invalid } = props
  const { empty = 'No items', disabled, loading, onBlur, buttonRef, className } = props
  // A field that is disabled for another reason does not say that there are no options.
  const none = options.length === 0 && !loading && !disabled
  return (
    <Select
      aria-label={props['aria-label']}
      aria-labelledby={props['aria-labelledby']}
      aria-describedby={props['aria-describedby']}
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isDisabled={Boolean(disabled || none)}
      isInvalid={invalid}
      // A press while the options load opens the list, which then shows them.
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
        <SelectValue className="min-w-0 flex-1 truncate data-placeholder:text-tertiary">
          {() =>
            options.find((option) => option.value === value)?.label ??
            (none ? empty : loading ? LOADING : placeholder)
          }
        </SelectValue>
        {loading ? (
          <Spinner />
        ) : (
          <ChevronDown size={16} strokeWidth={1.5} aria-hidden className="text-tertiary" />
        )}
      </AriaButton>
      <TriggeredFrame className={optionsFrameClass}>
        <ListBox
          items={options}
          className="max-h-72 overflow-y-auto outline-none"
          renderEmptyState={() => noOptions(loading, empty)}
        >
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className={optionClass}>
              {({ isSelected }) => (
                <>
                  <span className="min-w-0 flex-1">{option.content ?? option.label}</span>
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

type ListboxFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> & {
  options: Option[]
  empty?: string
  loading?: boolean
  onChange?: (value: string) => void
}

export function ListboxField<T extends FieldValues, N extends FieldPath<T>>(
  props: ListboxFieldProps<T, N>,
) {
  const { name, control, label = labelOf(name), description, tip, required = true, options } = props
  const { disabled, placeholder, empty, loading, validate, onChange } = props
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
        options={options}
        value={field.value ?? null}
        onChange={(value) => {
          field.onChange(value)
          onChange?.(value)
        }}
        placeholder={placeholder}
        empty={empty}
        disabled={disabled}
        loading={loading}
        invalid={Boolean(error)}
        onBlur={field.onBlur}
        buttonRef={ref}
      />
    </FieldFrame>
  )
}
