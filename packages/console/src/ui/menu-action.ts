import type { ReactNode } from 'react'

/** An item of a menu. */
export type MenuAction = {
  label: string
  icon?: ReactNode
  onAction?: () => void
  /** A path of the app, or an `http(s)` address, which opens in a new tab. */
  href?: string
  /** Why it cannot be done now. Any text disables the item, which stays reachable. */
  disabledReason?: string | false | null
  /** Red: it cannot be taken back. */
  danger?: boolean
}
