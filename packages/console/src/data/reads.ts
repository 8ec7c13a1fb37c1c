import type { UseQueryResult } from '@tanstack/react-query'
import { isForbidden, messageOf } from './errors.ts'

/** Whether something that a form offers is known yet. */
export type Reading = {
  loading: boolean
  failure?: { message: string; retry: () => Promise<unknown> }
  /** The user's roles do not permit the read: the form works without it, and says so. */
  refused?: boolean
}

type Query = Pick<UseQueryResult<unknown>, 'data' | 'error' | 'isLoading' | 'refetch'>

/** Of several reads that are offered together. An earlier answer stays if another read fails. */
export function readingOf(...queries: Query[]): Reading {
  const unread = queries.filter(({ data, error }) => data === undefined && error)
  const failed = unread.filter(({ error }) => !isForbidden(error))
  const [first] = failed
  return {
    loading: queries.some(({ isLoading }) => isLoading),
    refused: unread.length > failed.length,
    failure: first && {
      message: messageOf(first.error),
      retry: () => Promise.all(failed.map(({ refetch }) => refetch())),
    },
  }
}

/** A list that was read, as the choices of a field. */
export const choicesOf = <T, O>(
  query: Query & { data: { items: T[] } | undefined },
  optionOf: (item: T) => O,
) => ({ ...readingOf(query), options: query.data?.items.map((item) => optionOf(item)) ?? [] })
