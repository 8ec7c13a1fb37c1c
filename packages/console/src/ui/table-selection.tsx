import { useCallback, useLayoutEffect, useRef } from 'react'
import { CheckboxInput } from './checkbox-input.tsx'

/** The selected rows; their keys outlive the page of the list. */
export type Selection = {
  isSelected: (key: string) => boolean
  onSelect: (keys: string[], on: boolean) => void
}

/** Selects all rows of the page. */
export function SelectAllCell({ selection, keys }: { selection: Selection; keys: string[] }) {
  const selected = keys.filter(selection.isSelected)
  const all = keys.length > 0 && selected.length === keys.length
  return (
    <th role="columnheader" className="select-cell">
      {/* eslint-disable-next-line jsx-a11y/label-has-associated-control -- names itself */}
      <label className="select-label">
        <CheckboxInput
          aria-label="Select all"
          checked={all}
          indeterminate={!all && selected.length > 0}
          onChange={() => selection.onSelect(keys, !all)}
        />
      </label>
    </th>
  )
}

/**
 * Selects a row, or with Shift all rows between it and the previously clicked one.
 * @returns the handler of a row's checkbox
 */
export function useRangeSelection(selection: Selection | undefined, keys: string[]) {
  const anchor = useRef<string>(undefined)
  // Stable function, so that rows are not redrawn because of it.
  const shown = useRef({ selection, keys })
  useLayoutEffect(() => {
    shown.current = { selection, keys }
  })
  return useCallback((key: string, toHere: boolean) => {
    const { selection, keys } = shown.current
    if (!selection) return
    const from = toHere && anchor.current !== undefined ? keys.indexOf(anchor.current) : -1
    const to = keys.indexOf(key)
    const range = from < 0 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1)
    selection.onSelect(range, !selection.isSelected(key))
    anchor.current = key
  }, [])
}

type SelectCellProps = {
  checked: boolean
  /** The name of the row's resource. */
  name: string | undefined
  onToggle: (toHere: boolean) => void
}

export function SelectCell({ checked, name, onToggle }: SelectCellProps) {
  return (
    <td role="cell" className="select-cell">
      {/* eslint-disable-next-line jsx-a11y/label-has-associated-control -- names itself */}
      <label className="select-label">
        <CheckboxInput
          aria-label={name ? `Select ${name}` : 'Select row'}
          checked={checked}
          onChange={({ nativeEvent }) => onToggle((nativeEvent as MouseEvent).shiftKey)}
        />
      </label>
    </td>
  )
}
