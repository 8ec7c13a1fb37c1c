import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
} from 'react'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { cx } from '../cx.ts'
import { describedBy, FieldFrame, labelOf, type FieldProps } from './field.tsx'

type TextFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> & {
  type?: 'text' | 'password'
  /** Value for browsers and password managers to fill in. */
  autoComplete?: 'new-password' | 'current-password'
  /** Number of lines; makes it a text area. */
  rows?: number
  mono?: boolean
  /** Password managers ignore the field, such as a name of a resource. */
  ignorePasswordManagers?: boolean
  /** Content at the right end of the control, e.g. a copy button. */
  suffix?: ReactNode
  transform?: (value: string) => string
}

const ignoring = { 'data-1p-ignore': true, 'data-lpignore': 'true', 'data-bwignore': true }

export function TextField<T extends FieldValues, N extends FieldPath<T>>(
  props: TextFieldProps<T, N>,
) {
  const {
    name,
    control,
    label = labelOf(name),
    description,
    tip,
    warning,
    required = false,
  } = props
  const { disabled, placeholder, validate, rows, mono, suffix, type = 'text', transform } = props
  const id = useId()
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({
    name,
    control,
    rules: {
      // A field with its own rule uses that rule's message for empty input.
      validate: validate ?? ((value) => (required && !value ? `${label} is required` : undefined)),
    },
  })
  const error = fieldState.error?.message
  const common = {
    id,
    name,
    placeholder,
    disabled,
    value: field.value ?? '',
    onBlur: field.onBlur,
    onChange: (event: { target: { value: string } }) =>
      field.onChange(transform ? transform(event.target.value) : event.target.value),
    autoComplete: props.autoComplete ?? 'off',
    'aria-invalid': error ? true : undefined,
    'aria-required': required || undefined,
    'aria-describedby': describedBy(id, description, error, warning),
    className: cx(
      'field-control',
      mono && 'font-mono text-xs!',
      mono && !rows && 'leading-5!',
      Boolean(suffix) && 'pe-9!',
    ),
    ...(props.ignorePasswordManagers ? ignoring : {}),
  }
  return (
    <FieldFrame {...{ id, label, required, description, tip, error, warning }}>
      <span className="relative flex">
        {rows ? (
          <textarea
            {...(common as TextareaHTMLAttributes<HTMLTextAreaElement>)}
            rows={rows}
            ref={ref as Ref<HTMLTextAreaElement>}
          />
        ) : (
          <input
            {...(common as InputHTMLAttributes<HTMLInputElement>)}
            type={type}
            ref={ref as Ref<HTMLInputElement>}
          />
        )}
        {suffix && (
          <span className={cx('absolute end-1 flex items-center', rows ? 'top-1' : 'inset-y-0')}>
            {suffix}
          </span>
        )}
      </span>
    </FieldFrame>
  )
}
