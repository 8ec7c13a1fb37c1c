import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { describedBy, FieldFrame } from '../../ui/form/field.tsx'
import { QueryTabs } from '../../ui/tabs.tsx'
import { readBuilt } from './built-query.ts'
import { QueryBuilder } from './query-builder.tsx'
import { QueryEditor } from './query-editor.tsx'
import { type QueryFieldProps, requiredQuery } from './query-field.tsx'
import { schemasQuery } from './schemas.ts'

/**
 * A required query as a form field, which is built by choosing or written. It opens with the builder
 * if that can show the query.
 */
export function BuiltQueryField<T extends FieldValues, N extends FieldPath<T>>(
  props: QueryFieldProps<T, N>,
) {
  const { name, control, placeholder, validate, scope, description, problem } = props
  const id = name
  const schemas = useQuery(schemasQuery(scope)).data ?? []
  const { field, fieldState } = useController({
    name,
    control,
    rules: { validate: requiredQuery(validate) },
  })
  const [mode, setMode] = useState<'build' | 'text'>(() =>
    field.value.trim() !== '' && 'reason' in readBuilt(field.value) ? 'text' : 'build',
  )
  const error = fieldState.error?.message ?? problem
  const shared = { onChange: field.onChange, schemas, scope }
  return (
    <FieldFrame
      id={id}
      label="Query"
      required
      group
      // The editor shows the error at its position.
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
                  {...shared}
                  text={field.value}
                  allPoints
                  onShowText={() => setMode('text')}
                />
              ),
            },
            {
              id: 'text',
              label: 'Write',
              content: (
                <QueryEditor
                  {...shared}
                  id={id}
                  label="Query"
                  value={field.value}
                  error={error}
                  describedBy={describedBy(id, description)}
                  placeholder={placeholder}
                />
              ),
            },
          ]}
        />
      </div>
    </FieldFrame>
  )
}
