import { createContext } from 'react'
import type { MenuAction } from './menu-action.ts'

/**
 * What can be done to a row of the table around. Only an open menu asks for it: so rows need not be
 * drawn again when it changes, and nothing is made for the menus that stay closed.
 */
export const RowActionsContext = createContext<((row: never) => MenuAction[]) | undefined>(
  undefined,
)
