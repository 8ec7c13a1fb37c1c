import { useSyncExternalStore } from 'react'

/** Which of the shell's own overlays is open; at most one is. */
export type Overlay = 'palette' | 'keyboard-help' | 'sidebar' | 'preview' | null

let open: Overlay = null
const listeners = new Set<() => void>()

export function setOverlay(next: Overlay): void {
  open = next
  listeners.forEach((listener) => listener())
}

export const toggleOverlay = (overlay: Overlay): void =>
  setOverlay(open === overlay ? null : overlay)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useOverlay = (): Overlay => useSyncExternalStore(subscribe, () => open)
