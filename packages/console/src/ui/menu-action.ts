import type { ReactNode } from 'react'
import { copyText } from './clipboard.ts'
import type { Calls } from './server-state.ts'

/** An action: an item of a menu, a button, an entry of the palette. */
export type MenuAction = {
  label: string
  icon?: ReactNode
  onAction?: () => void
  /** A path of the app, or an `http(s)` address, which opens in a new tab. */
  href?: string
  /**
   * Operation behind the action: it is disabled with a reason unless the user's roles permit
   * this.
   */
  calls?: Calls
  /** Reason why the action is disabled. Any text disables the item; it stays focusable. */
  disabledReason?: string | false | null
  /**
   * Sends nothing to the server. Other actions are disabled with the reason while nothing can
   * be sent.
   */
  local?: boolean
  /** Keeps the menu open for the next step. */
  staysOpen?: boolean
  /** Effect that the label does not tell; the palette shows it before Enter. */
  consequence?: string
  /** Irreversible, hence red. */
  danger?: boolean
}

export const copyAction = (label: string, text: string): MenuAction => ({
  label,
  local: true,
  onAction: () => void copyText(text),
})
