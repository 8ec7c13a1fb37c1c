import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useQuickActions } from '../ui/quick-actions.ts'
import { useOverlay } from './overlays.ts'

/** The things of a list, to which the palette leads from its page. */
export type ListQuickActions = {
  /** Everything in the list; it is read once the palette is open. */
  all: { queryKey: readonly unknown[]; queryFn: () => Promise<{ items: { name: string }[] }> }
  /** The heading of the things, for example "Go to disk". */
  group: string
  pathOf: (name: string) => string
}

/** Offers to go to each thing in a list. Memoize the argument. */
export function useListQuickActions(list: ListQuickActions): void {
  const { data } = useQuery({ ...list.all, enabled: useOverlay() === 'palette' })
  const actions = useMemo(() => {
    const { group, pathOf } = list
    const things = data?.items ?? []
    return things.map(({ name }) => ({
      label: name,
      group,
      path: pathOf(name),
      isThing: true as const,
    }))
  }, [list, data])
  useQuickActions(actions)
}
