import { descriptionProblem, nameFieldProblem } from '@steading/api/rules'
import type { FieldPath, FieldValues } from 'react-hook-form'
import type { FieldProps } from '../ui/form/field.tsx'
import { TextField } from '../ui/form/text-field.tsx'

type NamedProps<T extends FieldValues, N extends FieldPath<T>> = Omit<
  FieldProps<T, N>,
  'name' | 'validate'
> & {
  name?: N
  /** Applied after the general rules of names. */
  validate?: (value: string) => string | undefined
}

/** Name of a resource, validated by the control plane's own rules. */
export function NameField<T extends FieldValues, N extends FieldPath<T>>({
  name = 'name' as N,
  label = 'Name',
  required = true,
  validate,
  ...props
}: NamedProps<T, N>) {
  return (
    <TextField
      {...props}
      name={name}
      label={label}
      required={required}
      ignorePasswordManagers
      validate={(value: string) =>
        value || required ? (nameFieldProblem(value, label) ?? validate?.(value)) : undefined
      }
      // Spaces and underscores are typical mistakes for a dash.
      transform={(value) => value.toLowerCase().replaceAll(/[\s_]/g, '-')}
    />
  )
}

export function DescriptionField<T extends FieldValues, N extends FieldPath<T>>({
  name = 'description' as N,
  label = 'Description',
  ...props
}: NamedProps<T, N>) {
  return (
    <TextField
      {...props}
      name={name}
      label={label}
      rows={2}
      validate={(value: string) => descriptionProblem(value ?? '')}
    />
  )
}
