import { useEffect, useId } from 'react'
import type { MenuAction } from './menu-action.ts'
import type { Calls } from './server-state.ts'
import { createStore } from './store.ts'

/** An entry of the command palette: a path, rendered as a real link, or a callback. */
export type QuickAction = {
  label: string
  group?: string
  /** Secondary text. */
  detail?: string
  /** Operation that the user's roles have to permit. */
  calls?: Calls
  /** Reason why it is disabled. */
  disabledReason?: string | false | null
  /** Disabled with the reason while nothing can be sent to the server. */
  sends?: boolean
  /**
   * Target of the action, unless it is the page: a row, or the selection. Its entries come
   * first.
   */
  about?: string
  /** An item to open, listed after all actions and pages. */
  isThing?: true
} & ({ path: string; onAction?: never } | { path?: never; onAction: () => void })

/** In the palette's order. */
const sources = ['part', 'page', 'layout', 'global'] as const
type Source = (typeof sources)[number]

const registered = new Map<string, { source: Source; actions: QuickAction[] }>()
const offered = createStore<QuickAction[]>([])
export const useRegisteredActions = offered.useValue

const of = (wanted: Source) =>
  [...registered.values()].flatMap(({ source, actions }) => (source === wanted ? actions : []))

const changed = () => offered.set(sources.flatMap(of))

/** Offers entries while the caller is mounted. The default group is "Actions". */
export function useQuickActions(actions: QuickAction[], source: Source = 'page'): void {
  const id = useId()
  useEffect(() => {
    registered.set(id, { source, actions })
    changed()
  }, [id, source, actions])
  // A separate effect, so that changed entries keep their place.
  useEffect(
    () => () => {
      registered.delete(id)
      changed()
    },
    [id],
  )
}

/** Converts actions to palette entries. */
export const quickActionsOf = (actions: MenuAction[], about?: string): QuickAction[] =>
  actions.map(({ label, href, onAction, calls, disabledReason, local }) =>
    href
      ? { label, about, calls, disabledReason, path: href }
      : { label, about, calls, disabledReason, sends: !local, onAction: onAction! },
  )
