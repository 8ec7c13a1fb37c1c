import { useId, type ReactNode } from 'react'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { CheckboxInput } from '../checkbox-input.tsx'
import { cx } from '../cx.ts'
import { describedBy, FieldFrame, labelOf, type FieldProps } from './field.tsx'

type Choice = {
  value: string
  label: ReactNode
  description?: ReactNode
  disabledReason?: string | false
}

const choiceClass = 'flex items-start gap-2 has-disabled:text-disabled'

type RadioFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> & {
  items: Choice[]
  units?: string
  column?: boolean
  /** Large, bordered choices. */
  cards?: boolean
  onChange?: (value: string) => void
}

export function RadioField<T extends FieldValues, N extends FieldPath<T>>(
  props: RadioFieldProps<T, N>,
) {
  const { name, control, label = labelOf(name), description, tip, required = true } = props
  const { items, units, column, cards, disabled, onChange } = props
  const id = useId()
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({ name, control })
  const error = fieldState.error?.message
  return (
    <FieldFrame {...{ id, label, required, description, tip, error, units }} group>
      <div
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy(id, description, error)}
        className={cx(
          'flex',
          cards ? 'flex-wrap gap-2' : column ? 'flex-col gap-2' : 'flex-wrap gap-x-5 gap-y-2',
        )}
      >
        {items.map((item, index) => (
          <label
            key={item.value}
            className={cx(choiceClass, cards && 'choice-card min-w-36 flex-1')}
          >
            <input
              type="radio"
              className="radio mt-0.5"
              name={`${id}-${name}`}
              ref={index === 0 ? ref : undefined}
              value={item.value}
              checked={field.value === item.value}
              disabled={disabled || Boolean(item.disabledReason)}
              onBlur={field.onBlur}
              onChange={() => {
                field.onChange(item.value)
                onChange?.(item.value)
              }}
            />
            <span>
              {item.label}
              {item.description && (
                <span className="block text-xs text-secondary">{item.description}</span>
              )}
              {item.disabledReason && (
                <span className="block text-xs text-secondary">{item.disabledReason}</span>
              )}
            </span>
          </label>
        ))}
      </div>
    </FieldFrame>
  )
}

type CheckboxProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  indeterminate?: boolean
  disabled?: boolean
  children: ReactNode
  description?: ReactNode
}

function Checkbox({ checked, onChange, children, description, ...props }: CheckboxProps) {
  return (
    <label className={choiceClass}>
      <CheckboxInput
        {...props}
        className="mt-0.5"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {children}
        {description && <span className="block text-xs text-secondary">{description}</span>}
      </span>
    </label>
  )
}

export function CheckboxField<T extends FieldValues, N extends FieldPath<T>>({
  name,
  control,
  children,
  description,
  disabled,
  onChange,
}: Pick<FieldProps<T, N>, 'name' | 'control' | 'description' | 'disabled'> & {
  children: ReactNode
  onChange?: (checked: boolean) => void
}) {
  const {
    field: { ref: _ref, ...field },
  } = useController({ name, control })
  return (
    <Checkbox
      checked={Boolean(field.value)}
      onChange={(checked) => {
        field.onChange(checked)
        onChange?.(checked)
      }}
      {...{ description, disabled }}
    >
      {children}
    </Checkbox>
  )
}

type CheckboxGroupFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> & {
  items: Choice[]
  /** Label of the checkbox that checks all. */
  selectAll?: string
}

/** A field whose value is the list of checked items, in the order of the items. */
export function CheckboxGroupField<T extends FieldValues, N extends FieldPath<T>>(
  props: CheckboxGroupFieldProps<T, N>,
) {
  const { name, control, label = labelOf(name), description, tip, required = false } = props
  const { items, selectAll, disabled, validate } = props
  const id = useId()
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({ name, control, rules: { validate } })
  const error = fieldState.error?.message
  const checked: string[] = field.value ?? []
  const all = items.map((item) => item.value)
  const set = (value: string, on: boolean) =>
    field.onChange(all.filter((each) => (each === value ? on : checked.includes(each))))
  return (
    <FieldFrame {...{ id, label, required, description, tip, error }} group>
      <fieldset
        ref={(fieldset) =>
          ref(fieldset && { focus: () => fieldset.querySelector('input')?.focus() })
        }
        aria-labelledby={`${id}-label`}
        className="flex flex-col gap-2"
      >
        {selectAll && items.length > 1 && (
          <Checkbox
            checked={checked.length === all.length}
            indeterminate={checked.length > 0 && checked.length < all.length}
            disabled={disabled}
            onChange={(on) => field.onChange(on ? all : [])}
          >
            {selectAll}
          </Checkbox>
        )}
        {items.map((item) => (
          <Checkbox
            key={item.value}
            checked={checked.includes(item.value)}
            onChange={(on) => set(item.value, on)}
            disabled={disabled}
            description={item.description}
          >
            {item.label}
          </Checkbox>
        ))}
      </fieldset>
    </FieldFrame>
  )
}
