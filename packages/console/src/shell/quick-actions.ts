import { useEffect, useId } from 'react'
import { createStore } from '../ui/store.ts'
import { useOverlay } from './overlays.ts'

/** An entry of the command palette: a path, which is a real link there, or a callback. */
export type QuickAction = { label: string; group?: string } & (
  | { path: string; onAction?: never }
  | { path?: never; onAction: () => void }
)

type Source = 'page' | 'layout' | 'global'

const registered = new Map<string, { source: Source; actions: QuickAction[] }>()
const offered = createStore<QuickAction[]>([])
export const useRegisteredActions = offered.useValue

const of = (wanted: Source) =>
  [...registered.values()].flatMap(({ source, actions }) => (source === wanted ? actions : []))

const changed = () => offered.set([...of('page'), ...of('layout'), ...of('global')])

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

/** For lists that are fetched only once the palette is wanted. */
export const usePaletteOpen = (): boolean => useOverlay() === 'palette'
