import type { AnyRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode } from 'react'
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

/** The current sidebar's entries, for neighbouring components. */
export const NavItems = createContext<NavItem[]>([])

type Inherited = { crumb?: string } & Needing

const childrenOf = (route: AnyRoute): AnyRoute[] => (route.children as AnyRoute[] | undefined) ?? []

const pathsBelow = (route: AnyRoute): string[] =>
  childrenOf(route).flatMap((child) => [
    ...('path' in child.options ? [child.fullPath] : []),
    ...pathsBelow(child),
  ])

/** Entries of the pages below a route, in the order of the route tree. */
function entriesBelow(
  route: AnyRoute,
  params: Record<string, string>,
  above: Inherited,
): NavItem[] {
  return childrenOf(route).flatMap((child) => {
    const {
      crumb,
      needs = above.needs,
      part = above.part,
      nav,
      isTab,
    } = child.options.staticData ?? {}
    const inherited = {
      crumb: above.crumb ?? (typeof crumb === 'string' ? crumb : undefined),
      needs,
      part,
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
    const also = isTab ? pathsBelow(route) : []
    return [{ label, path, needs, part, also, ...entry, icon }, ...below]
  })
}

/** Sidebar entries of a frame's pages. */
export const navItems = (frame: AnyRoute, params: Record<string, string> = {}): NavItem[] =>
  entriesBelow(frame, params, {})
