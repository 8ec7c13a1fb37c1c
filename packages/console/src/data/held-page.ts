import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * The page of a list that is shown. If another page or another search cannot be read, the rows that
 * were shown last stay.
 * @param within what the list is in; rows of another parent do not stay
 */
export function useHeldPage<Page>(query: UseQueryResult<Page>, within = '') {
  const { data, dataUpdatedAt, isPlaceholderData } = query
  const [held, setHeld] = useState<{ within: string; page: Page; readAt: number }>()
  // Of a placeholder it is not known when it was read.
  if (data !== undefined && !isPlaceholderData && held?.readAt !== dataUpdatedAt) {
    setHeld({ within, page: data, readAt: dataUpdatedAt })
  }
  const last = held?.within === within ? held : undefined
  return {
    page: data ?? last?.page,
    readAt: last?.readAt ?? 0,
    /** Whether the rows are not those that were asked for. */
    waiting: isPlaceholderData || data === undefined,
  }
}
