import { queryClient } from './api.ts'
import { onConnection } from './connection.ts'
import { isLiveRead, isLive } from './live.ts'

const shownReads = () =>
  queryClient.getQueryCache().findAll({
    type: 'active',
    predicate: ({ queryKey, state }) => isLiveRead(queryKey) && state.data !== undefined,
  })

/** The reads that events had kept up to date until the connection was lost. */
const keptFresh = new Set<string>()

onConnection((isLost) => {
  keptFresh.clear()
  if (isLost && isLive()) for (const { queryHash } of shownReads()) keptFresh.add(queryHash)
})

/**
 * While the connection is lost: when the oldest of what is shown was true.
 * @param lostAt when the control plane was last heard of
 */
export function shownAsOf(lostAt: number): number {
  const times = shownReads().map(({ queryHash, state: { dataUpdatedAt } }) =>
    keptFresh.has(queryHash) ? lostAt : Math.min(dataUpdatedAt, lostAt),
  )
  return Math.min(lostAt, ...times)
}
