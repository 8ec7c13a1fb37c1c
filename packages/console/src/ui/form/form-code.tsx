import type { ReactNode } from 'react'
import { useWatch, type FieldValues, type UseFormReturn } from 'react-hook-form'

type Props<T extends FieldValues> = {
  form: UseFormReturn<T>
  code: (values: T) => ReactNode
}

/** The call of a form as code; it follows the input. */
export function FormCode<T extends FieldValues>({ form, code }: Props<T>) {
  return code(useWatch({ control: form.control }) as T)
}
