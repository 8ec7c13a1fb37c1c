import { useEffect, useRef, type ReactNode } from 'react'
import {
  type FieldErrors,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'

/** Fields that failed a rule; errors set from a server's refusal have no type. */
function failedRules(errors: FieldErrors, prefix = ''): string[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (!error || typeof error !== 'object' || name === 'root') return []
    if (typeof error.type === 'string') return [`${prefix}${name}`]
    return 'message' in error ? [] : failedRules(error as FieldErrors, `${prefix}${name}.`)
  })
}

/**
 * Revalidates fields with an error on every change of the form: a rule may compare two fields,
 * so fixing either clears the error.
 */
export function useLiveErrors<T extends FieldValues>(form: UseFormReturn<T>): void {
  const { errors } = form.formState
  const shown = useRef(errors)
  useEffect(() => {
    shown.current = errors
  })
  const { watch, trigger, getFieldState } = form
  useEffect(() => {
    const watching = watch(() => {
      const names = failedRules(shown.current) as Path<T>[]
      // Deferred: the change may also clear errors together with their values.
      queueMicrotask(() => {
        const failed = names.filter((name) => getFieldState(name).error)
        if (failed.length > 0) void trigger(failed)
      })
    })
    return () => watching.unsubscribe()
  }, [watch, trigger, getFieldState])
}

type Props<T extends FieldValues> = {
  form: UseFormReturn<T>
  code: (values: T) => ReactNode
}

/** The call of a form as code, following the input. */
export function FormCode<T extends FieldValues>({ form, code }: Props<T>) {
  return code(useWatch({ control: form.control }) as T)
}
