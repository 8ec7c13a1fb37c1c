import { createContext } from 'react'
import { navEntries } from './nav-entries.gen.ts'
import type { NavFrame, NavItem } from './nav-entry.ts'

/** The current sidebar's entries, for neighbouring components. */
export const NavItems = createContext<NavItem[]>([])

/** Sidebar entries of a frame's pages. */
export const navItems = (frame: NavFrame, params: Record<string, string> = {}): NavItem[] =>
  navEntries[frame].map(({ icon: Icon, ...entry }) => ({
    ...entry,
    path: entry.path.replaceAll(/\$(\w+)/g, (_, name: string) => params[name] ?? ''),
    icon: <Icon size={16} strokeWidth={1.5} aria-hidden />,
  }))
