import { createStore } from '../ui/store.ts'

/** The open overlay of the shell; there is at most one. */
export type Overlay = 'palette' | 'keyboard-help' | 'sidebar' | 'preview' | null

const open = createStore<Overlay>(null)

export const useOverlay = open.useValue
export const setOverlay = open.set
export const closeOverlay = (): void => setOverlay(null)

export const toggleOverlay = (overlay: Overlay): void =>
  setOverlay(open.get() === overlay ? null : overlay)
