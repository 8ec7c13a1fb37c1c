import type { ReactNode } from 'react'
import type { Calls } from './server-state.ts'

/** Something that can be done: an item of a menu, a button, an entry of the palette. */
export type MenuAction = {
  label: string
  icon?: ReactNode
  onAction?: () => void
  /** A path of the app, or an `http(s)` address, which opens in a new tab. */
  href?: string
  /** It is disabled, with the reason, while the user's roles do not permit this. */
  calls?: Calls
  /** Why the action is not possible now. Any text disables the item; it stays focusable. */
  disabledReason?: string | false | null
  /**
   * Nothing is sent to the server. Other actions cannot be used, with the reason, while nothing can
   * be sent.
   */
  local?: boolean
  /** The menu stays open, for the next step. */
  staysOpen?: boolean
  /** Red: it cannot be undone. */
  danger?: boolean
}

export const copyAction = (label: string, text: string): MenuAction => ({
  label,
  local: true,
  onAction: () => void navigator.clipboard.writeText(text),
})
