import { useFormState, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { FieldError } from '../../../ui/form/field.tsx'
import type { InstanceValues } from './values.ts'

type Props = { form: UseFormReturn<InstanceValues>; name: FieldPath<InstanceValues> }

/**
 * The control plane's error about a part of the form that is not a single field. It can take the
 * focus, so that the next Tab leads to the controls of that part.
 */
export function Problem({ form: { control, getFieldState }, name }: Props) {
  const state = useFormState({ control, name })
  const message = getFieldState(name, state).error?.message
  return (
    <div
      data-problem={name}
      tabIndex={-1}
      // Takes no space while there is no error.
      className={message ? 'rounded-sm' : 'contents'}
    >
      <FieldError id={`problem-${name}`} error={message} />
    </div>
  )
}
