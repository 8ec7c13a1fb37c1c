import { useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { FieldFrame } from '../../ui/form/field.tsx'
import { QueryTabs } from '../../ui/tabs.tsx'
import { readBuilt } from './built-query.ts'
import { QueryBuilder } from './query-builder.tsx'
import { QueryEditor } from './query-editor.tsx'
import { type QueryFieldProps, useQueryField } from './query-field.tsx'

/**
 * A required query as a form field, which is built by choosing or written. It opens with the builder
 * if that can show the query.
 */
export function BuiltQueryField<T extends FieldValues, N extends FieldPath<T>>(
  props: QueryFieldProps<T, N>,
) {
  const editor = useQueryField(props)
  const { id, value, error, onChange, schemas, scope } = editor
  const [mode, setMode] = useState<'build' | 'text'>(() =>
    value.trim() !== '' && 'reason' in readBuilt(value) ? 'text' : 'build',
  )
  return (
    <FieldFrame
      id={id}
      label="Query"
      required
      group
      // The editor shows the error at its position.
      error={mode === 'build' ? error : undefined}
      description={mode === 'text' && props.description}
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
                  {...{ onChange, schemas, scope }}
                  text={value}
                  allPoints
                  onShowText={() => setMode('text')}
                />
              ),
            },
            {
              id: 'text',
              label: 'Write',
              content: <QueryEditor {...editor} label="Query" />,
            },
          ]}
        />
      </div>
    </FieldFrame>
  )
}
