import { keepEntityTag } from '@steading/api/client'
import { QueryClient, replaceEqualDeep } from '@tanstack/react-query'

/** Milliseconds during which an answer is fresh, so that a page that mounts twice reads once. */
const FRESH_FOR = 2000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_FOR,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: 'always',
      // Unchanged parts keep their identity, and the whole keeps its entity tag.
      structuralSharing: (before, answer) =>
        keepEntityTag(answer, replaceEqualDeep(before, answer)),
    },
    mutations: { networkMode: 'always' },
  },
})

/** The plain list operation of a searched one; both represent the same list. */
const plainName = (operation: unknown): string => String(operation).replace(/Search$/, 'List')

/** The operations behind a cached answer, with searches mapped to lists. */
export const operationsOf = ([operation]: readonly unknown[]): string[] =>
  [operation].flat().map(plainName)
