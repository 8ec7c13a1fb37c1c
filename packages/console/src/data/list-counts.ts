import { useQueries } from '@tanstack/react-query'
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
  filter: ListFilter,
) => {
  const others = { ...filtersOf(list, search), [filter]: undefined }
  const args = { query: { ...parent, search: search.q, ...others, countBy: filter, limit: 1 } }
  return {
    queryKey: [list.searched, args] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(list.searched, args as never, { signal }) as Promise<Answer>,
    select: wordCounts,
  }
}

/**
 * How many rows the words of filters would give, with the search and the other filters. They are
 * read while somebody looks at them.
 */
export function useListCounts(list: ListDefinition, parent: object, search: ListSearch) {
  const able = useCapability('listCounts')
  const refetchInterval = useLivePolling(10_000)
  const [watched, setWatched] = useState<readonly ListFilter[]>([])
  const answers = useQueries({
    queries: (able ? watched : []).map((filter) => ({
      ...countsQuery(list, parent, search, filter),
      refetchInterval,
    })),
  })
  return {
    able,
    watch: setWatched,
    /** Undefined while they are not known. */
    of: (filter: ListFilter) => answers[watched.indexOf(filter)]?.data,
  }
}
