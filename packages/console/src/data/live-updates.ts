import { loadPart, whenDrawnAndIdle } from '../ui/lazy-part.ts'
import { queryClient } from './api.ts'
import { answeredCapabilities } from './capabilities.ts'
import { onConnection } from './connection.ts'
import { openEventStream } from './event-stream.ts'
import { setLiveState } from './live.ts'
import { isNoAnswer, isRefused } from './errors.ts'
import { followSession, isSessionEnded } from './session-end.ts'

let isFollowing = () => false

/**
 * After the connection or the session returns: refetches failed reads, and reads that no event
 * refreshes.
 */
function refetchFailed() {
  const live = isFollowing()
  void queryClient.invalidateQueries({
    predicate: ({ state: { error } }) => !live || isNoAnswer(error) || isRefused(error),
  })
}

let started = false

/**
 * Called once the user is signed in. The stream opens at once to cover all later reads; the
 * code that handles it is loaded after the first paint.
 */
export async function startLiveUpdates(): Promise<void> {
  if (started) return
  started = true
  onConnection((isLost) => isLost || refetchFailed())
  followSession(() => isSessionEnded() || refetchFailed())
  const { events } = await answeredCapabilities()
  const stream = events ? openEventStream() : undefined
  if (!stream) setLiveState('polling')
  // The reader of the stream handles a failure and retries.
  stream?.catch(() => {})
  await whenDrawnAndIdle()
  // Also needed without events, for pages that show the age of their data. If the code cannot
  // be loaded, only pages with an interval of their own are polled.
  const live = await loadPart(() => import('./live-stream.ts')).catch(() => undefined)
  if (!live) return setLiveState('polling')
  live.pollReads()
  if (!stream) return
  isFollowing = live.isFollowing
  live.followEvents(stream)
}
