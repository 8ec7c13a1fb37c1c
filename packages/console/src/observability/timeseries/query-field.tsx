import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { describedBy, FieldFrame, type FieldProps } from '../../ui/form/field.tsx'
import { QueryTabs } from '../../ui/tabs.tsx'
import { readBuilt } from './built-query.ts'
import { QueryBuilder } from './query-builder.tsx'
import { QueryEditor } from './query-editor.tsx'
import type { QueryScope } from './explorer-link.ts'
import { schemasQuery } from './schemas.ts'

type QueryFieldProps<T extends FieldValues, N extends FieldPath<T>> = Pick<
  FieldProps<T, N>,
  'name' | 'control' | 'placeholder' | 'validate'
> & {
  scope: QueryScope
  description: ReactNode
  /** An error beyond syntax. */
  problem?: string | undefined
  /** Offers to build the query by choosing, and opens with that where it can show the query. */
  builder?: boolean
  /** Variables allowed as values: `instance` for `$instance`. */
  variables?: readonly string[]
}

/** A required query as a form field. */
export function QueryField<T extends FieldValues, N extends FieldPath<T>>(
  props: QueryFieldProps<T, N>,
) {
  const { name, control, placeholder, validate, scope, description, problem } = props
  const { builder, variables } = props
  const id = name
  const schemas = useQuery(schemasQuery(scope)).data ?? []
  const required = (query: string) => (query.trim() === '' ? 'Query is required' : undefined)
  const { field, fieldState } = useController({
    name,
    control,
    rules: { validate: { required, ...(typeof validate === 'function' && { validate }) } },
  })
  const [mode, setMode] = useState<'build' | 'text'>(() =>
    field.value.trim() === '' || !('reason' in readBuilt(field.value)) ? 'build' : 'text',
  )
  const error = fieldState.error?.message ?? problem
  const editor = (
    <QueryEditor
      id={id}
      label={builder ? 'Query' : undefined}
      value={field.value}
      onChange={field.onChange}
      schemas={schemas}
      scope={scope}
      variables={variables}
      error={error}
      describedBy={describedBy(id, description)}
      placeholder={placeholder}
    />
  )
  if (!builder) {
    return (
      // The editor shows the error at its position.
      <FieldFrame id={id} label="Query" required description={description}>
        {editor}
      </FieldFrame>
    )
  }
  return (
    <FieldFrame
      id={id}
      label="Query"
      required
      group
      error={mode === 'build' ? error : undefined}
      description={mode === 'text' && description}
    >
      <div
        role="group"
        aria-labelledby={`${id}-label`}
        className="rounded-card border [--gutter:12px]"
      >
        <QueryTabs
          label="Query input mode"
          selected={mode}
          onSelect={(next) => setMode(next as 'build' | 'text')}
          panelClass="p-3"
          tabs={[
            {
              id: 'build',
              label: 'Build',
              content: (
                <QueryBuilder
                  text={field.value}
                  onChange={field.onChange}
                  schemas={schemas}
                  scope={scope}
                  allPoints
                  onShowText={() => setMode('text')}
                />
              ),
            },
            { id: 'text', label: 'Write', content: editor },
          ]}
        />
      </div>
    </FieldFrame>
  )
}
