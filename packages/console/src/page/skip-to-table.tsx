import { focusFirstRow } from '../ui/keyboard/rows.ts'

/** The first stop after the heading of a list, seen only while it has the focus. */
export function SkipToTable() {
  return (
    <button
      type="button"
      onClick={focusFirstRow}
      className="sr-only focus-visible:not-sr-only focus-visible:absolute! focus-visible:z-20 focus-visible:rounded-control focus-visible:bg-accent focus-visible:px-3! focus-visible:py-1.5! focus-visible:text-on-accent"
    >
      Skip to table
    </button>
  )
}
