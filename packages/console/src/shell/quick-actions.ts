import { useEffect, useId, useSyncExternalStore } from 'react'
import { useOverlay } from './overlays.ts'

/** An entry of the command palette: a path, which is a real link there, or a callback. */
export type QuickAction = { label: string; group?: string } & (
  | { path: string; onAction?: never }
  | { path?: never; onAction: () => void }
)

type Source = 'page' | 'layout' | 'global'

const registered = new Map<string, { source: Source; actions: QuickAction[] }>()
let snapshot: QuickAction[] = []
const listeners = new Set<() => void>()

const of = (wanted: Source) =>
  [...registered.values()].flatMap(({ source, actions }) => (source === wanted ? actions : []))

function changed() {
  snapshot = [...of('page'), ...of('layout'), ...of('global')]
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Offers entries while the caller is mounted. Memoize the list, or make it a constant. Entries
 * without a group are "Actions".
 */
export function useQuickActions(actions: QuickAction[], source: Source = 'page'): void {
  const id = useId()
  useEffect(() => {
    registered.set(id, { source, actions })
    changed()
    return () => {
      registered.delete(id)
      changed()
    }
  }, [id, source, actions])
}

export const useRegisteredActions = (): QuickAction[] =>
  useSyncExternalStore(subscribe, () => snapshot)

/** For lists that are fetched only once the palette is wanted. */
export const usePaletteOpen = (): boolean => useOverlay() === 'palette'
