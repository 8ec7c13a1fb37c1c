import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues, RegisterOptions } from 'react-hook-form'
import { cx } from '../cx.ts'
import { HelpTip } from '../tooltip.tsx'

/** `user name` → `User name`, for labels that default to the name of the field. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type Rules<T extends FieldValues, N extends FieldPath<T>> = Pick<
  RegisterOptions<T, N>,
  'validate' | 'deps'
>

/**
 * Common properties of fields. Extra rules go through `validate`, which returns a message or
 * undefined.
 */
export type FieldProps<T extends FieldValues, N extends FieldPath<T>> = {
  name: N
  control: Control<T>
  label?: string
  /** Help below the label. */
  description?: ReactNode
  /** Help in a tooltip. */
  tip?: string
  /** A probable mistake, which does not forbid to submit; null reserves its live region. */
  warning?: ReactNode
  required?: boolean
  disabled?: boolean
  placeholder?: string
  validate?: Rules<T, N>['validate']
}

type FieldFrameProps = {
  id: string
  label: ReactNode
  required?: boolean
  description?: ReactNode
  tip?: string
  error?: string
  warning?: ReactNode
  /** A group of inputs: clicking its label focuses nothing. */
  group?: boolean
  units?: string
  children: ReactNode
  className?: string
}

export const describedBy = (
  id: string,
  description: ReactNode,
  error?: string,
  warning?: ReactNode,
) =>
  cx(
    Boolean(description) && `${id}-description`,
    error && `${id}-error`,
    Boolean(warning) && `${id}-warning`,
  ) || undefined

/**
 * A control with its label and help above, and below it its error, which is announced at once, and
 * its warning, which waits for the end of other speech.
 */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, required, description, tip, error, warning, group, units } = props
  const { children, className } = props
  const Label = group ? 'span' : 'label'
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <div>
        <span className="flex items-center gap-1.5">
          <Label id={`${id}-label`} htmlFor={group ? undefined : id} className="font-medium">
            {label}
            {units && <span className="text-tertiary"> ({units})</span>}
          </Label>
          {!required && (
            <span aria-hidden className="text-xs text-tertiary">
              (Optional)
            </span>
          )}
          {tip && <HelpTip>{tip}</HelpTip>}
        </span>
        {description && (
          <div id={`${id}-description`} className="text-xs text-tertiary">
            {description}
          </div>
        )}
      </div>
      {children}
      <FieldError id={id} error={error} />
      {warning !== undefined && (
        <div
          id={`${id}-warning`}
          aria-live="polite"
          className="text-xs text-amber-text empty:hidden"
        >
          {warning}
        </div>
      )}
    </div>
  )
}

export function FieldError({ id, error }: { id: string; error?: string }) {
  return (
    <div id={`${id}-error`} aria-live="assertive" className="text-xs text-red-text empty:hidden">
      {error}
    </div>
  )
}

/** A section of related fields in a long form. */
export const FormSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="flex flex-col gap-5 border-t pt-5">
    <legend className="float-left w-full pb-1 text-base font-medium">{title}</legend>
    {children}
  </fieldset>
)
