import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../src/data/api.ts'
import { setLiveReads } from '../src/data/live.ts'
import { shownAsOf } from '../src/data/shown-as-of.ts'

afterEach(() => {
  queryClient.clear()
  setLiveReads([])
})

const MINUTE = 60_000

/** An answer on the page, with the time at which it was read. */
function show(operation: string, updatedAt: number) {
  const queryKey = [operation, {}] as const
  queryClient.setQueryData(queryKey, [], { updatedAt })
  const queryFn = () => Promise.reject(new Error('nothing is read again'))
  new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {})
}

test('data of different ages is told by its oldest and its newest part', () => {
  setLiveReads(['diskList', 'instanceList'])
  const lostAt = 10 * MINUTE
  expect(shownAsOf(lostAt)).toEqual({ oldest: lostAt, newest: lostAt })
  show('diskList', 3 * MINUTE)
  expect(shownAsOf(lostAt)).toEqual({ oldest: 3 * MINUTE, newest: 3 * MINUTE })
  show('instanceList', 4 * MINUTE)
  // No change makes this one stale.
  show('ping', MINUTE)
  expect(shownAsOf(lostAt)).toEqual({ oldest: 3 * MINUTE, newest: 4 * MINUTE })
  // Nothing is newer than the last contact.
  expect(shownAsOf(3 * MINUTE)).toEqual({ oldest: 3 * MINUTE, newest: 3 * MINUTE })
})
