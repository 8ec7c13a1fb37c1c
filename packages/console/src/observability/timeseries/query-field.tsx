import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { describedBy, FieldFrame, type FieldProps } from '../../ui/form/field.tsx'
import { QueryEditor } from './query-editor.tsx'
import type { QueryScope } from './explorer-link.ts'
import { schemasQuery } from './schemas.ts'

export type QueryFieldProps<T extends FieldValues, N extends FieldPath<T>> = Pick<
  FieldProps<T, N>,
  'name' | 'control' | 'placeholder' | 'validate'
> & {
  scope: QueryScope
  description: ReactNode
  /** An error beyond syntax. */
  problem?: string | undefined
  /** Variables allowed as values: `instance` for `$instance`. */
  variables?: readonly string[]
}

/** The checks of a required query. */
export const requiredQuery = <V,>(validate: V) => ({
  required: (query: string) => (query.trim() === '' ? 'Query is required' : undefined),
  ...(typeof validate === 'function' && { validate: validate as V & (() => undefined) }),
})

/** A required query as a form field. */
export function QueryField<T extends FieldValues, N extends FieldPath<T>>(
  props: QueryFieldProps<T, N>,
) {
  const { name, control, placeholder, validate, scope, description, variables, problem } = props
  const id = name
  const schemas = useQuery(schemasQuery(scope)).data ?? []
  const { field, fieldState } = useController({
    name,
    control,
    rules: { validate: requiredQuery(validate) },
  })
  return (
    // The editor shows the error at its position.
    <FieldFrame id={id} label="Query" required description={description}>
      <QueryEditor
        id={id}
        value={field.value}
        onChange={field.onChange}
        schemas={schemas}
        scope={scope}
        variables={variables}
        error={fieldState.error?.message ?? problem}
        describedBy={describedBy(id, description)}
        placeholder={placeholder}
      />
    </FieldFrame>
  )
}
