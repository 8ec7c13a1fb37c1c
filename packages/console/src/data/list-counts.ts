import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './api.ts'
import { useCapability } from './capabilities.ts'
import type { ListSearch } from './list-search.ts'
import { filtersOf, kindsOf, type ListDefinition, searchName } from './lists.ts'
import { useLivePolling } from './live.ts'
import { totalOf } from './totals.ts'

type Answer = { counts?: { word: string; count: number | null }[] }

/** Number of matching rows by word; null: more than are counted. Words without rows are missing. */
export type WordCounts = ReadonlyMap<string, number | null>

function wordCounts(answers: Answer[]): WordCounts {
  const total = new Map<string, number | null>()
  for (const { word, count } of answers.flatMap(({ counts = [] }) => counts)) {
    total.set(word, total.has(word) ? totalOf([total.get(word), count])! : count)
  }
  return total
}

const countsQuery = (
  list: ListDefinition,
  parent: object,
  search: ListSearch,
  filters: readonly string[],
) => {
  const chosen = filtersOf(list, search)
  const common = { ...parent, search: search.q }
  const operations = kindsOf(list).map(searchName)
  const countsOf = (filter: string, signal: AbortSignal) => {
    const query = { ...common, ...chosen, [filter]: undefined, countBy: filter, limit: 1 }
    return Promise.all(
      operations.map(
        (operation) => call(operation, { query } as never, { signal }) as Promise<Answer>,
      ),
    )
  }
  return {
    queryKey: [operations, { query: { ...common, ...chosen, countBy: filters } }] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const answers = filters.map(
        async (filter) => [filter, wordCounts(await countsOf(filter, signal))] as const,
      )
      return new Map(await Promise.all(answers))
    },
  }
}

/**
 * Row counts for the words of filters, given the search and the other filters. They are read
 * while the filter's menu is open.
 */
export function useListCounts(list: ListDefinition, parent: object, search: ListSearch) {
  const supported = useCapability('listCounts')
  const refetchInterval = useLivePolling(10_000)
  const [watched, setWatched] = useState<readonly string[]>([])
  const { data } = useQuery({
    ...countsQuery(list, parent, search, watched),
    enabled: supported && watched.length > 0,
    refetchInterval,
  })
  return {
    supported,
    watch: setWatched,
    /** Undefined while unknown. */
    of: (filter: string) => data?.get(filter),
  }
}
