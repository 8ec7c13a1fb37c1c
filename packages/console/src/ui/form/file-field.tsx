import { useId, useRef, useState } from 'react'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { FileUp, X } from 'lucide-react'
import { IconButton } from '../button.tsx'
import { cx } from '../cx.ts'
import { Truncate, Size } from '../text.tsx'
import { describedBy, FieldFrame, labelOf, type FieldProps } from './field.tsx'

type FileFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> & {
  /** Extensions, e.g. `.pem,.crt`. */
  accept?: string
}

/** A field whose value is a `File` or null. */
export function FileField<T extends FieldValues, N extends FieldPath<T>>(
  props: FileFieldProps<T, N>,
) {
  const { name, control, label = labelOf(name), description, tip, warning, required = true } = props
  const { accept, disabled, validate } = props
  const id = useId()
  const [dragging, setDragging] = useState(false)
  const input = useRef<HTMLInputElement | null>(null)
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({
    name,
    control,
    rules: {
      validate: validate ?? ((value) => (required && !value ? `${label} is required` : undefined)),
    },
  })
  const file = (field.value ?? null) as File | null
  const error = fieldState.error?.message
  return (
    <FieldFrame {...{ id, label, required, description, tip, error, warning }}>
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setDragging(true)
        }}
        onDragLeave={() => setDragging(false)}
        onDrop={(event) => {
          event.preventDefault()
          setDragging(false)
          if (!disabled) field.onChange(event.dataTransfer.files[0] ?? null)
        }}
        className={cx(
          'relative flex min-h-20 items-center justify-center gap-2 rounded-control border border-dashed px-3 has-focus-visible:outline-2 has-focus-visible:outline-focus',
          error ? 'border-red-text' : 'border-line-control',
          dragging ? 'bg-accent-surface' : 'hover:bg-hover',
        )}
      >
        <input
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          ref={(element) => {
            input.current = element
            ref(element)
          }}
          onBlur={field.onBlur}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, description, error, warning)}
          className="absolute inset-0 opacity-0"
          onChange={(event) => {
            field.onChange(event.target.files?.[0] ?? null)
            // Reset, so that the same file can be picked again.
            event.target.value = ''
          }}
        />
        {file ? (
          <>
            <span className="min-w-0">
              <Truncate text={file.name} isName />
            </span>
            <span className="shrink-0 text-secondary">
              (<Size bytes={file.size} />)
            </span>
            <IconButton
              label="Clear file"
              size="sm"
              icon={<X size={14} strokeWidth={1.5} aria-hidden />}
              onClick={() => {
                field.onChange(null)
                // The button disappears with the file; the input is the next target.
                input.current?.focus()
              }}
            />
          </>
        ) : (
          <span className="flex items-center gap-2 text-secondary">
            <FileUp size={16} strokeWidth={1.5} aria-hidden />
            Drop a file or click to browse{accept && ` (${accept.replaceAll(',', ', ')})`}
          </span>
        )}
      </div>
    </FieldFrame>
  )
}
