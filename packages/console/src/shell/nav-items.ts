import { createContext } from 'react'
import type { NavItem } from './nav.tsx'

/** The pages in the sidebar, for what is drawn beside it. */
export const NavItems = createContext<NavItem[]>([])
