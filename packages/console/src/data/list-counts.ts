import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './api.ts'
import { useCapability } from './capabilities.ts'
import type { ListFilter, ListSearch } from './list-search.ts'
import { filtersOf, type ListDefinition } from './lists.ts'
import { useLivePolling } from './live.ts'

type Answer = { counts?: { word: string; count: number | null }[] }

/** How many rows each word would give; null: more than are counted. Words without rows are missing. */
export type WordCounts = ReadonlyMap<string, number | null>

const wordCounts = ({ counts = [] }: Answer): WordCounts =>
  new Map(counts.map(({ word, count }) => [word, count]))

const countsQuery = (
  list: ListDefinition,
  parent: object,
  search: ListSearch,
  filters: readonly ListFilter[],
) => {
  const chosen = filtersOf(list, search)
  const common = { ...parent, search: search.q }
  const countsOf = (filter: ListFilter, signal: AbortSignal) => {
    const query = { ...common, ...chosen, [filter]: undefined, countBy: filter, limit: 1 }
    return call(list.searched, { query } as never, { signal }) as Promise<Answer>
  }
  return {
    queryKey: [list.searched, { query: { ...common, ...chosen, countBy: filters } }] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const answers = filters.map(
        async (filter) => [filter, wordCounts(await countsOf(filter, signal))] as const,
      )
      return new Map(await Promise.all(answers))
    },
  }
}

/**
 * How many rows the words of filters would give, with the search and the other filters. They are
 * read while the menu that shows them is open.
 */
export function useListCounts(list: ListDefinition, parent: object, search: ListSearch) {
  const able = useCapability('listCounts')
  const refetchInterval = useLivePolling(10_000)
  const [watched, setWatched] = useState<readonly ListFilter[]>([])
  const { data } = useQuery({
    ...countsQuery(list, parent, search, watched),
    enabled: able && watched.length > 0,
    refetchInterval,
  })
  return {
    able,
    watch: setWatched,
    /** Undefined while they are not known. */
    of: (filter: ListFilter) => data?.get(filter),
  }
}
