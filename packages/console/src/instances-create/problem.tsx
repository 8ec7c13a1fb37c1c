import { useFormState, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { FieldError } from '../ui/form/field.tsx'
import type { InstanceValues } from './values.ts'

type Props = { form: UseFormReturn<InstanceValues>; name: FieldPath<InstanceValues> }

/** What the control plane said against a part of the form that is no single field. */
export function Problem({ form: { control, getFieldState }, name }: Props) {
  const state = useFormState({ control, name })
  return (
    // As if it were not there, while there is nothing to say.
    <div data-problem={name} className="contents">
      <FieldError id={`problem-${name}`} error={getFieldState(name, state).error?.message} />
    </div>
  )
}
