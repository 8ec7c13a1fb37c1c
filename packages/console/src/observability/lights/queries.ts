import type { Lights } from '@steading/api/client'
import { apiQuery, queryClient } from '../../data/api.ts'
import { wait } from '../../data/throttle.ts'

/** What a picture shows: the fleet, the silo of the user, or a sled. */
export type LitPlace = 'fleet' | 'silo' | { sled: string }

/** Operators get no events about instances of other silos. Milliseconds. */
const POLL_MS = 10_000
/** Least pause between two reads: a busy fleet changes many times a second. Milliseconds. */
const PAUSE_MS = 2_000

type Read = { queryKey: readonly unknown[]; queryFn: () => Promise<Lights> }

function readOf(place: LitPlace): Read {
  if (place === 'fleet') return apiQuery('fleetLights', {})
  if (place === 'silo') return apiQuery('siloLights', {})
  return apiQuery('sledLights', { query: { sled: place.sled } })
}

export function lightsQuery(place: LitPlace) {
  const { queryKey, queryFn } = readOf(place)
  return {
    queryKey,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { dataUpdatedAt = 0 } = queryClient.getQueryState(queryKey) ?? {}
      // A clock that was set back makes no pause longer.
      const pause = Math.min(dataUpdatedAt + PAUSE_MS - Date.now(), PAUSE_MS)
      if (pause > 0) await wait(pause, signal)
      signal.throwIfAborted()
      return queryFn()
    },
    refetchInterval: POLL_MS,
  }
}
