import type { AnyRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Capabilities, Needing } from '../data/capabilities.ts'
import type { ShortcutId } from '../ui/keyboard/shortcuts.ts'

/** The entry of a page in the sidebar, declared by its route. */
export type Nav = {
  icon: LucideIcon
  /** Instead of the crumb of the page. */
  label?: string
  /** The keys that lead there. */
  shortcut?: ShortcutId
  /** Other places that are part of it. */
  also?: readonly string[]
  /** Only on the pages of a silo, and there only for these users or with multicast. */
  onlyFor?: 'siloAdmins' | 'auditors' | 'multicast'
}

export type NavItem = Omit<Nav, 'icon'> & {
  label: string
  path: string
  icon: ReactNode
  /** Active at this path only, not below it. */
  exact?: boolean
  /** How many things there need attention. */
  count?: number
} & Needing

type Inherited = { crumb?: string; needs?: keyof Capabilities }

/** The entries of the pages below a route, in the order of the tree. */
function entriesBelow(
  route: AnyRoute,
  params: Record<string, string>,
  above: Inherited,
): NavItem[] {
  const children = (route.children as AnyRoute[] | undefined) ?? []
  return children.flatMap((child) => {
    const { crumb, needs = above.needs, nav } = child.options.staticData ?? {}
    const inherited = {
      crumb: above.crumb ?? (typeof crumb === 'string' ? crumb : undefined),
      needs,
    }
    const below = entriesBelow(child, params, inherited)
    if (!nav) return below
    const { icon: Icon, ...entry } = nav
    const path = child.fullPath.replaceAll(
      /\$(\w+)/g,
      (_: string, name: string) => params[name] ?? '',
    )
    const label = inherited.crumb ?? ''
    const icon = <Icon size={16} strokeWidth={1.5} aria-hidden />
    return [{ label, path, needs, ...entry, icon }, ...below]
  })
}

/** The entries of a frame's pages in the sidebar. */
export const navItems = (frame: AnyRoute, params: Record<string, string> = {}): NavItem[] =>
  entriesBelow(frame, params, {})
