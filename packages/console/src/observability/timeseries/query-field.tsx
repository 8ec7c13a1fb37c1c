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

/** The state of a required query, and the props of its editor. */
export function useQueryField<T extends FieldValues, N extends FieldPath<T>>({
  name,
  control,
  placeholder,
  validate,
  scope,
  description,
  variables,
  problem,
}: QueryFieldProps<T, N>) {
  const required = (query: string) => (query.trim() === '' ? 'Query is required' : undefined)
  const { field, fieldState } = useController({
    name,
    control,
    rules: { validate: { required, ...(typeof validate === 'function' && { validate }) } },
  })
  return {
    id: name as string,
    value: field.value as string,
    onChange: field.onChange as (query: string) => void,
    schemas: useQuery(schemasQuery(scope)).data ?? [],
    scope,
    variables,
    error: fieldState.error?.message ?? problem,
    describedBy: describedBy(name, description),
    placeholder,
  }
}

/** A required query as a form field. */
export function QueryField<T extends FieldValues, N extends FieldPath<T>>(
  props: QueryFieldProps<T, N>,
) {
  const editor = useQueryField(props)
  return (
    // The editor shows the error at its position.
    <FieldFrame id={editor.id} label="Query" required description={props.description}>
      <QueryEditor {...editor} />
    </FieldFrame>
  )
}
