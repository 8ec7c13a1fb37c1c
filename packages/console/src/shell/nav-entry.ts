import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Needing } from '../data/capabilities.ts'
import type { ShortcutId } from '../ui/keyboard/shortcuts.ts'

/** Groups of the sidebar, in their order. */
export const navGroups = {
  compute: 'Compute',
  network: 'Network',
  observe: 'Observe',
  maintain: 'Maintain',
  access: 'Access',
}
export type NavGroup = keyof typeof navGroups

/** A page's entry in the sidebar, declared by its route. */
export type Nav = {
  icon: LucideIcon
  /** Entries without a group are above all groups. */
  group?: NavGroup
  /** Defaults to the page's crumb. */
  label?: string
  /** Shortcut that opens the page. */
  shortcut?: ShortcutId
  /** Restricted to pages of a silo, for these users or with multicast. */
  onlyFor?: 'siloAdmins' | 'auditors' | 'multicast'
}

export type NavItem = Omit<Nav, 'icon'> & {
  label: string
  path: string
  icon: ReactNode
  /** Other tabs of the page. */
  also: readonly string[]
  /** Active at this path only, not below it. */
  exact?: boolean
  /** Number of items that need attention. */
  count?: number
} & Needing

/** An entry as generated from the routes: the names of parameters in its paths begin with `$`. */
export type NavEntry = Omit<NavItem, 'icon'> & { icon: LucideIcon }
/** Parents of all pages that share a sidebar. */
export type NavFrame = 'silo' | 'system' | 'settings' | 'project'
