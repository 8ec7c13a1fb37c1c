import { queryClient } from './api.ts'
import { onConnection } from './connection.ts'
import { isLiveRead, isLive } from './live.ts'

const shownReads = () =>
  queryClient.getQueryCache().findAll({
    type: 'active',
    predicate: ({ queryKey, state }) => isLiveRead(queryKey) && state.data !== undefined,
  })

/** Reads kept up to date by events until the connection was lost. */
const keptFresh = new Set<string>()

onConnection((isLost) => {
  keptFresh.clear()
  if (isLost && isLive()) for (const { queryHash } of shownReads()) keptFresh.add(queryHash)
})

/**
 * While the connection is lost: the times at which the oldest and the newest data on the page were
 * current, in milliseconds since 1970.
 * @param lostAt time of the last contact with the control plane
 */
export function shownAsOf(lostAt: number): { oldest: number; newest: number } {
  const times = shownReads().map(({ queryHash, state: { dataUpdatedAt } }) =>
    keptFresh.has(queryHash) ? lostAt : Math.min(dataUpdatedAt, lostAt),
  )
  if (times.length === 0) return { oldest: lostAt, newest: lostAt }
  return { oldest: Math.min(...times), newest: Math.max(...times) }
}
