import type { UseQueryResult } from '@tanstack/react-query'
import { isForbidden, messageOf } from './errors.ts'

/** State of a form's optional read. */
export type Reading = {
  loading: boolean
  failure?: { message: string; retry: () => Promise<unknown> }
  /** The user's roles do not permit the read: the form works without it, with a note. */
  refused?: boolean
}

type Query = Pick<UseQueryResult<unknown>, 'data' | 'error' | 'isLoading' | 'refetch'>

/**
 * Combined state of several reads. An earlier answer stays if another read fails, unless the user
 * has lost the right to it.
 */
export function readingOf(...queries: Query[]): Reading {
  const unread = queries.filter(
    ({ data, error }) => error && (data === undefined || isForbidden(error)),
  )
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

/** The items of a list, as far as the user may read them. */
export const itemsOf = <T>({
  data,
  error,
}: Pick<Query, 'error'> & { data: { items: T[] } | undefined }): T[] =>
  data && !isForbidden(error) ? data.items : []

/** A list query as the choices of a field. */
export const choicesOf = <T, O>(
  query: Query & { data: { items: T[] } | undefined },
  optionOf: (item: T) => O,
) => ({ ...readingOf(query), options: itemsOf(query).map((item) => optionOf(item)) })
