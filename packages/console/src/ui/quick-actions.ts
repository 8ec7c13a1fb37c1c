import { useEffect, useId } from 'react'
import type { MenuAction } from './menu-action.ts'
import type { Calls } from './server-state.ts'
import { createStore } from './store.ts'

/** An entry of the command palette: a path, which is a real link there, or a callback. */
export type QuickAction = {
  label: string
  group?: string
  /** What is said beside it. */
  detail?: string
  /** What the user's roles have to permit. */
  calls?: Calls
  /** Why it is not possible now. */
  disabledReason?: string | false | null
  /** It cannot be used, with the reason, while nothing can be sent to the server. */
  sends?: boolean
  /** What it is done to, if not to the page: a row, or what is selected. Its entries come first. */
  about?: string
  /** One of many things to go to; they come after all actions and pages. */
  isThing?: true
} & ({ path: string; onAction?: never } | { path?: never; onAction: () => void })

/** In the order in which the palette shows what they offer. */
const sources = ['part', 'page', 'layout', 'global'] as const
type Source = (typeof sources)[number]

const registered = new Map<string, { source: Source; actions: QuickAction[] }>()
const offered = createStore<QuickAction[]>([])
export const useRegisteredActions = offered.useValue

const of = (wanted: Source) =>
  [...registered.values()].flatMap(({ source, actions }) => (source === wanted ? actions : []))

const changed = () => offered.set(sources.flatMap(of))

/** Offers entries while the caller is mounted. Entries without a group are "Actions". */
export function useQuickActions(actions: QuickAction[], source: Source = 'page'): void {
  const id = useId()
  useEffect(() => {
    registered.set(id, { source, actions })
    changed()
  }, [id, source, actions])
  // Apart from the above: entries that change keep their place.
  useEffect(
    () => () => {
      registered.delete(id)
      changed()
    },
    [id],
  )
}

/** Actions as entries. */
export const quickActionsOf = (actions: MenuAction[], about?: string): QuickAction[] =>
  actions.map(({ label, href, onAction, calls, disabledReason, local }) =>
    href
      ? { label, about, calls, disabledReason, path: href }
      : { label, about, calls, disabledReason, sends: !local, onAction: onAction! },
  )
