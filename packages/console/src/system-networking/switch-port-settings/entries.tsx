import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { useFieldArray, type Control } from 'react-hook-form'
import { Banner } from '../../ui/banner.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import type { SettingsValues } from './values.ts'

type ListName = 'links' | 'interfaces' | 'addresses' | 'routes' | 'peers'

type EntriesProps<Name extends ListName> = {
  control: Control<SettingsValues>
  name: Name
  title: string
  description: string
  /** Name of one entry, like `Route`. */
  noun: string
  /** A new entry. */
  fresh: (index: number) => SettingsValues[Name][number]
  /** Warning about this number of entries, which does not prevent saving. */
  warning?: (count: number) => string | undefined
  children: (index: number) => ReactNode
}

/**
 * A section of the form: a list of entries of one kind, with their fields, that can be extended.
 */
export function Entries<Name extends ListName>(props: EntriesProps<Name>) {
  const { control, name, title, description, noun, fresh, warning, children } = props
  const { fields, append, remove } = useFieldArray({ control, name: name as ListName })
  const id = useId()
  const warned = warning?.(fields.length)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-b py-7 last:border-b-0">
      <div>
        <h2 id={id} className="text-lg font-semibold tracking-[-0.005em]">
          {title}
        </h2>
        <p className="text-secondary">{description}</p>
      </div>
      {fields.map((field, index) => (
        <fieldset
          key={field.id}
          aria-label={`${noun} ${index + 1}`}
          className="flex min-w-0 flex-col gap-4 rounded-card border bg-raised p-4"
        >
          <div className="flex items-center justify-between gap-2">
            <h3 className="font-medium">
              {noun} {index + 1}
            </h3>
            <IconButton
              label={`Remove ${noun.toLowerCase()} ${index + 1}`}
              icon={<Trash2 size={16} strokeWidth={1.5} aria-hidden />}
              onClick={() => remove(index)}
            />
          </div>
          {children(index)}
        </fieldset>
      ))}
      {warned && (
        <Banner variant="notice" title={warned}>
          Additional links have no effect.
        </Banner>
      )}
      <div>
        <Button
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => append(fresh(fields.length))}
        >
          Add {noun.startsWith('BGP') ? noun : noun.toLowerCase()}
        </Button>
      </div>
    </section>
  )
}

/** Fields side by side on wide screens. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
)

/** Rarely needed fields, collapsed. */
export const MoreFields = ({ label, children }: { label: string; children: ReactNode }) => (
  <details className="group rounded-control border bg-page">
    <summary className="focus-inset min-h-9 cursor-pointer px-3 py-2 font-medium">{label}</summary>
    <div className="flex flex-col gap-4 border-t p-3">{children}</div>
  </details>
)
