import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '../src/data/api.ts'
import { pollReads } from '../src/data/live-stream.ts'

afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('without live updates, a read that fails is repeated as often as one that succeeds', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { hidden: false })
  const reads = { diskList: 0, snapshotList: 0 }
  const stops = Object.keys(reads).map((operation) =>
    new QueryObserver(queryClient, {
      queryKey: [operation, {}],
      initialData: {},
      staleTime: Infinity,
      retry: false,
      queryFn: () => {
        reads[operation as 'diskList']++
        if (operation === 'snapshotList') throw new Error('It has come loose')
        return {}
      },
    }).subscribe(() => {}),
  )
  pollReads()
  await vi.advanceTimersByTimeAsync(30_000)
  stops.forEach((stop) => stop())
  expect(reads).toEqual({ diskList: 3, snapshotList: 3 })
})
