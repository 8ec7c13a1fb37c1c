import { createContext, useEffect, type RefObject } from 'react'
import type { MenuAction } from './menu-action.ts'
import { createStore } from './store.ts'

/**
 * The actions of a table row. Only an open menu calls it: closed menus cost nothing, and
 * changes do not redraw rows.
 */
export const RowActionsContext = createContext<((row: never) => MenuAction[]) | undefined>(
  undefined,
)

type Offer = {
  /** Text of the first column. */
  name: string
  actions: MenuAction[]
}

const asked = createStore<Element | null>(null)
const offered = createStore<Offer | null>(null)

/** Current actions of the row; null if the element is not a row, or was removed. */
export function useRowActions(row: Element | null): Offer | null {
  useEffect(() => {
    asked.set(row)
    return () => asked.set(null)
  }, [row])
  return offered.useValue()
}

/** Provides the actions of a table's rows on request. */
export function useProvideRowActions(
  table: RefObject<Element | null>,
  actionsOf: (index: number) => MenuAction[] | undefined,
): void {
  const row = asked.useValue()
  // After each render, because the actions change with the row.
  useEffect(() => {
    if (!(row instanceof HTMLTableRowElement) || !table.current?.contains(row)) return
    const rows = [...table.current.querySelectorAll('tr:not(.group-row)')]
    const actions = actionsOf(rows.indexOf(row))
    const name = row.querySelector('.lead-cell')?.textContent ?? ''
    offered.set(actions ? { name, actions } : null)
  })
  useEffect(() => {
    if (row && table.current?.contains(row)) return () => offered.set(null)
  }, [row, table])
}
