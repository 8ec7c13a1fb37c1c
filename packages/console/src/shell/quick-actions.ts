import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo } from 'react'
import type { MenuAction } from '../ui/menu-action.ts'
import { createStore } from '../ui/store.ts'
import { useOverlay } from './overlays.ts'

/** An entry of the command palette: a path, which is a real link there, or a callback. */
export type QuickAction = {
  label: string
  group?: string
  /** What is said beside it. */
  detail?: string
  /** Why it is not possible now. */
  disabledReason?: string | false | null
  /** One of many things to go to; they come after all actions and pages. */
  isThing?: true
} & ({ path: string; onAction?: never } | { path?: never; onAction: () => void })

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

/** The actions of a menu as entries. */
export const quickActionsOf = (items: MenuAction[]): QuickAction[] =>
  items.map(({ label, href, onAction, disabledReason }) =>
    href ? { label, path: href, disabledReason } : { label, onAction: onAction!, disabledReason },
  )

/** What the palette offers on the page of a list. */
export type ListQuickActions = {
  create: QuickAction
  /** Everything in the list; it is read once the palette is open. */
  all: { queryKey: readonly unknown[]; queryFn: () => Promise<{ items: { name: string }[] }> }
  /** The heading of the things, for example "Go to disk". */
  group: string
  pathOf: (name: string) => string
}

/** Offers to add to a list, and to go to each thing in it. Memoize the argument. */
export function useListQuickActions(list: ListQuickActions): void {
  const { data } = useQuery({ ...list.all, enabled: useOverlay() === 'palette' })
  const actions = useMemo(() => {
    const { create, group, pathOf } = list
    const things = data?.items ?? []
    return [
      create,
      ...things.map(({ name }) => ({
        label: name,
        group,
        path: pathOf(name),
        isThing: true as const,
      })),
    ]
  }, [list, data])
  useQuickActions(actions)
}
