import { createContext } from 'react'

/** Whether a panel that opens now slides in. The shell says no for page loads, back and forward. */
export const SideModalAnimation = createContext<() => boolean>(() => false)
