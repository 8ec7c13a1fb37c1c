import { useState, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { IconButton } from './button.tsx'
import { CheckboxInput } from './checkbox-input.tsx'

export type Selection = {
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

/** Selection that survives refreshes; keys that have left the list are dropped from it. */
export function useSelection(keys: string[] | undefined): Selection & { clear: () => void } {
  const [chosen, onChange] = useState<ReadonlySet<string>>(new Set())
  const selected = keys ? new Set(keys.filter((key) => chosen.has(key))) : chosen
  return { selected, onChange, clear: () => onChange(new Set()) }
}

export function SelectAllCell({ selection, keys }: { selection: Selection; keys: string[] }) {
  const all = keys.length > 0 && keys.every((key) => selection.selected.has(key))
  return (
    <th className="w-10">
      <CheckboxInput
        aria-label="Select all"
        checked={all}
        indeterminate={!all && selection.selected.size > 0}
        onChange={() => selection.onChange(new Set(all ? [] : keys))}
      />
    </th>
  )
}

export function SelectCell({ selection, rowKey }: { selection: Selection; rowKey: string }) {
  const checked = selection.selected.has(rowKey)
  const toggle = () => {
    const next = new Set(selection.selected)
    if (!next.delete(rowKey)) next.add(rowKey)
    selection.onChange(next)
  }
  return (
    <td className="w-10">
      {/* eslint-disable-next-line jsx-a11y/label-has-associated-control -- names itself */}
      <label className="absolute inset-0 flex items-center pl-(--gutter)">
        <CheckboxInput aria-label="Select row" checked={checked} onChange={toggle} />
      </label>
    </td>
  )
}

/** Floats above the pagination bar while rows are selected. */
export function BulkBar({
  selection,
  children,
}: {
  selection: Selection & { clear: () => void }
  children: ReactNode
}) {
  if (selection.selected.size === 0) return null
  return (
    <div
      role="toolbar"
      aria-label="Bulk actions"
      className="sticky bottom-14 z-10 mx-auto mt-4 flex w-fit animate-[rise-in_140ms_ease-out] items-center gap-2 rounded-card border border-line-strong bg-floating py-1.5 pr-1.5 pl-4 shadow-floating"
    >
      <span className="mr-2 tabular-nums">{selection.selected.size} selected</span>
      {children}
      <IconButton
        label="Clear selection"
        size="sm"
        icon={<X size={16} strokeWidth={1.5} aria-hidden />}
        onClick={selection.clear}
      />
    </div>
  )
}
