/** Reads in flight while an event says that their answers change. */
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../src/data/api.ts'
import { refetchStale } from '../src/data/stale.ts'

afterEach(() => queryClient.clear())

/** A read whose answers come when the test says so. */
function heldRead() {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let count = 0
  const options = {
    queryKey: ['diskList', {}],
    staleTime: Infinity,
    queryFn: () => answers[count++]!.promise,
  }
  return { options, answers, count: () => count }
}

test('a first read that was in flight during a change is repeated', async () => {
  const { options, answers } = heldRead()
  const observer = new QueryObserver(queryClient, options)
  const stop = observer.subscribe(() => {})
  refetchStale(() => true)
  answers[0]!.resolve('before')
  answers[1]!.resolve('after')
  await expect.poll(() => observer.getCurrentResult().data).toBe('after')
  stop()
})

test('a read ahead of its page that was in flight during a change leaves a stale answer', async () => {
  const { options, answers, count } = heldRead()
  const ahead = queryClient.prefetchQuery(options)
  refetchStale(() => true)
  answers[0]!.resolve('before')
  await ahead
  await expect.poll(() => queryClient.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
  expect(count()).toBe(1)
})
