import { useFormState, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { FieldError } from '../ui/form/field.tsx'
import type { InstanceValues } from './values.ts'

type Props = { form: UseFormReturn<InstanceValues>; name: FieldPath<InstanceValues> }

/**
 * What the control plane said against a part of the form that is no single field. It can be given
 * the focus, so that the next key leads to what mends it.
 */
export function Problem({ form: { control, getFieldState }, name }: Props) {
  const state = useFormState({ control, name })
  const message = getFieldState(name, state).error?.message
  return (
    <div
      data-problem={name}
      tabIndex={-1}
      // As if it were not there, while there is nothing to say.
      className={message ? 'rounded-sm' : 'contents'}
    >
      <FieldError id={`problem-${name}`} error={message} />
    </div>
  )
}
