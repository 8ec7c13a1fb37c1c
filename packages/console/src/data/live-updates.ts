import { loadPart, drawnAndIdle } from '../ui/lazy-part.ts'
import { queryClient } from './api.ts'
import { answeredCapabilities } from './capabilities.ts'
import { onConnection } from './connection.ts'
import { openEventStream } from './event-stream.ts'
import { isNoAnswer, isRefused } from './errors.ts'
import { followSession, isSessionEnded } from './session-end.ts'

let isFollowing = () => false

/** Once the control plane or the session is back: reads again what could not be read, and what no event refreshes. */
function refetchFailed() {
  const live = isFollowing()
  void queryClient.invalidateQueries({
    predicate: ({ state: { error } }) => !live || isNoAnswer(error) || isRefused(error),
  })
}

let started = false

/**
 * Called once the user is signed in. The stream is opened at once, so that what is read afterwards is
 * kept up to date; the code that reads it is loaded after the first paint.
 */
export async function startLiveUpdates(): Promise<void> {
  if (started) return
  started = true
  onConnection((isLost) => isLost || refetchFailed())
  followSession(() => isSessionEnded() || refetchFailed())
  const { events } = await answeredCapabilities()
  const stream = events ? openEventStream() : undefined
  // If that fails, its reader says so and tries again.
  stream?.catch(() => {})
  await drawnAndIdle()
  // Also for control planes without events, whose pages say how old what they show is. If the code
  // cannot be loaded, pages go on polling.
  const live = await loadPart(() => import('./live-stream.ts')).catch(() => undefined)
  if (!live || !stream) return
  isFollowing = live.isFollowing
  live.followEvents(stream)
}
