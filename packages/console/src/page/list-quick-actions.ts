import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useQuickActions } from '../ui/quick-actions.ts'
import { useOverlay } from './overlays.ts'

/** The items of a list as palette entries. */
export type ListQuickActions = {
  /** All items of the list, read once the palette is open. */
  all: {
    queryKey: readonly unknown[]
    queryFn: () => Promise<{ items: { id: string; name: string }[] }>
  }
  /** Heading of the entries, for example "Go to disk". */
  group: string
  pathOf: (name: string, id: string) => string
}

const none = { queryKey: ['nothing to offer'], queryFn: () => Promise.resolve({ items: [] }) }

/** Offers each item of a list in the palette. Memoize the argument. */
export function useListQuickActions(list: ListQuickActions | undefined): void {
  const open = useOverlay() === 'palette'
  const { data } = useQuery({ ...(list?.all ?? none), enabled: open && list !== undefined })
  const actions = useMemo(() => {
    if (!list) return []
    const { group, pathOf } = list
    const things = data?.items ?? []
    return things.map(({ id, name }) => ({
      label: name,
      group,
      path: pathOf(name, id),
      isThing: true as const,
    }))
  }, [list, data])
  useQuickActions(actions)
}
