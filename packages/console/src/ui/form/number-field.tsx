import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { fromStep, inStep } from '@steading/api/rules'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { Minus, Plus } from 'lucide-react'
import { describedBy, FieldFrame, labelOf, type FieldProps } from './field.tsx'
import { readNumber, type ReadNumber } from './read-number.ts'

type NumberFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> & {
  min?: number
  max?: number
  step?: number
  units?: string
  decimals?: boolean
  /** Size of the displayed unit in units of the value. */
  size?: number
}

/**
 * Commits while typing and clamps to the range: values above it at once, values below it on
 * blur, since the first digits may begin a larger number. Empty is NaN, and so is a text that is no
 * number: it stays as typed, with a message.
 */
export function NumberField<T extends FieldValues, N extends FieldPath<T>>(
  props: NumberFieldProps<T, N>,
) {
  const { name, control, label = labelOf(name), description, tip, required = true } = props
  const {
    min = 0,
    max,
    step = 1,
    units,
    decimals = false,
    size = 1,
    disabled,
    placeholder,
    validate,
  } = props
  const id = useId()
  /** Why the typed text is no number; read by validation before the next rendering. */
  const problem = useRef<string>(undefined)
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({
    name,
    control,
    rules: {
      validate: (value, values) => {
        if (problem.current && Number.isNaN(value)) return problem.current
        if (required && Number.isNaN(value ?? Number.NaN)) return `${label} is required`
        return typeof validate === 'function' ? validate(value, values) : undefined
      },
    },
  })
  const value = inStep(field.value ?? Number.NaN, { size })
  const commit = (number: number) => field.onChange(fromStep(number, { size }))
  const [typed, setTyped] = useState<string | null>(null)
  const [wasLeft, setWasLeft] = useState(false)
  const read = (text: string): ReadNumber =>
    text === '' ? { value: Number.NaN } : readNumber(text, { decimals, negative: min < 0, units })
  const shown = typed === null ? undefined : read(typed)
  // A form may have set another value.
  const isTyped = shown && Object.is('value' in shown ? shown.value : Number.NaN, value)
  const text = isTyped ? typed! : Number.isNaN(value) ? '' : String(value)
  const misread = isTyped && 'problem' in shown ? shown.problem : undefined
  const error = misread && wasLeft ? misread : fieldState.error?.message

  const clamp = (number: number) => Math.min(Math.max(number, min), max ?? Infinity)
  const type = (next: string) => {
    const result = read(next)
    problem.current = 'problem' in result ? result.problem : undefined
    if ('problem' in result) {
      setTyped(next)
      return commit(Number.NaN)
    }
    const clamped = Math.min(result.value, max ?? Infinity)
    setTyped(clamped < result.value ? String(clamped) : next)
    setWasLeft(false)
    commit(clamped)
  }
  const change = (by: number) => {
    problem.current = undefined
    setTyped(null)
    commit(clamp((Number.isNaN(value) ? 0 : value) + by))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    change(event.key === 'ArrowUp' ? step : -step)
  }
  return (
    <FieldFrame {...{ id, label, required, description, tip, error, units }}>
      <span className="relative flex w-40 max-w-full">
        <input
          id={id}
          ref={ref}
          type="text"
          role="spinbutton"
          inputMode={decimals ? 'decimal' : 'numeric'}
          autoComplete="off"
          className="field-control pe-16! tabular-nums"
          value={text}
          placeholder={placeholder}
          disabled={disabled}
          aria-valuenow={Number.isNaN(value) ? undefined : value}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-invalid={error ? true : undefined}
          aria-required={required || undefined}
          aria-describedby={describedBy(id, description, error)}
          onChange={(event) => type(event.target.value)}
          onBlur={() => {
            if (misread) setWasLeft(true)
            else setTyped(null)
            if (value < min) commit(clamp(value))
            field.onBlur()
          }}
          onKeyDown={onKeyDown}
        />
        <span className="absolute inset-y-px end-px flex divide-x divide-line border-s">
          <Stepper
            label={`Decrease ${label}`}
            off={disabled || value <= min}
            onStep={() => change(-step)}
          >
            <Minus size={14} strokeWidth={1.5} aria-hidden />
          </Stepper>
          <Stepper
            label={`Increase ${label}`}
            off={disabled || (max !== undefined && value >= max)}
            onStep={() => change(step)}
          >
            <Plus size={14} strokeWidth={1.5} aria-hidden />
          </Stepper>
        </span>
      </span>
    </FieldFrame>
  )
}

type StepperProps = {
  label: string
  off: boolean | undefined
  onStep: () => void
  children: React.ReactNode
}

const Stepper = ({ label, off, onStep, children }: StepperProps) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={label}
    disabled={off}
    onClick={onStep}
    className="flex w-7 items-center justify-center text-tertiary last:rounded-e-[5px] enabled:hover:bg-hover enabled:hover:text-primary disabled:opacity-40"
  >
    {children}
  </button>
)
