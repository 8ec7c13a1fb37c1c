import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { Button, IconButton } from '../button.tsx'

type MiniTableProps<Item> = {
  label: string
  columns: { id: string; header: string; cell: (item: Item) => ReactNode }[]
  items: Item[]
  rowKey: (item: Item) => string
  onRemove: (item: Item) => void
  removeLabel?: (item: Item, index: number) => string
  /** Placeholder; without it, an empty table is hidden. */
  empty?: ReactNode
}

/** A table of rows added to a form through a sub-form. */
export function MiniTable<Item>(props: MiniTableProps<Item>) {
  const { label, columns, items, rowKey, onRemove, empty } = props
  const { removeLabel = (_item: Item, index: number) => `Remove item ${index + 1}` } = props
  if (items.length === 0 && !empty) return null
  return (
    <div className="overflow-x-auto rounded-control border bg-raised">
      <table aria-label={label} className="w-full">
        <thead>
          <tr className="border-b text-start text-tertiary">
            {columns.map(({ id, header }) => (
              <th key={id} scope="col" className="label h-8 px-3 text-start">
                {header}
              </th>
            ))}
            <th className="w-9">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={rowKey(item)} className="border-b last:border-b-0">
              {columns.map(({ id, cell }) => (
                <td key={id} className="h-9 px-3">
                  {cell(item)}
                </td>
              ))}
              <td className="pe-1 text-end">
                <IconButton
                  label={removeLabel(item, index)}
                  size="sm"
                  onClick={() => onRemove(item)}
                  icon={<X size={14} strokeWidth={1.5} aria-hidden />}
                />
              </td>
            </tr>
          ))}
          {items.length === 0 && (
            <tr>
              <td colSpan={columns.length + 1} className="px-3 py-4 text-center text-tertiary">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** The two buttons of a sub-form. */
export function SubFormButtons({
  addLabel,
  onAdd,
  addable = true,
  onClear,
  clearable,
}: {
  addLabel: string
  onAdd: () => void
  addable?: boolean
  onClear: () => void
  clearable: boolean
}) {
  return (
    <div className="flex justify-end gap-2">
      <Button variant="ghost" size="sm" disabled={!clearable} onClick={onClear}>
        Clear
      </Button>
      <Button size="sm" disabled={!addable} onClick={onAdd}>
        {addLabel}
      </Button>
    </div>
  )
}
