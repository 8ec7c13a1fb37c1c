import { createContext, useEffect, type RefObject } from 'react'
import type { MenuAction } from './menu-action.ts'
import { createStore } from './store.ts'

/**
 * What can be done to a row of the table around. Only an open menu asks for it: so rows need not be
 * drawn again when it changes, and nothing is made for the menus that stay closed.
 */
export const RowActionsContext = createContext<((row: never) => MenuAction[]) | undefined>(
  undefined,
)

type Offer = {
  /** What the first column says. */
  name: string
  actions: MenuAction[]
}

const asked = createStore<Element | null>(null)
const offered = createStore<Offer | null>(null)

/** The actions of the row, as they are now; null if the element is no row, or is gone. */
export function useRowOffer(row: Element | null): Offer | null {
  useEffect(() => {
    asked.set(row)
    return () => asked.set(null)
  }, [row])
  return offered.useValue()
}

/** Offers the actions of a row of a table when they are asked for. */
export function useOfferRows(
  table: RefObject<Element | null>,
  actionsOf: (index: number) => MenuAction[] | undefined,
): void {
  const row = asked.useValue()
  // After each render: what can be done changes with the row.
  useEffect(() => {
    if (!(row instanceof HTMLTableRowElement) || !table.current?.contains(row)) return
    const actions = actionsOf(row.sectionRowIndex)
    const name = row.querySelector('.lead-cell')?.textContent ?? ''
    offered.set(actions ? { name, actions } : null)
  })
  useEffect(() => {
    if (row && table.current?.contains(row)) return () => offered.set(null)
  }, [row, table])
}
