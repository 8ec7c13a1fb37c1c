import { loadPart } from '../ui/lazy-part.ts'
import { whenIdle } from '../ui/when-idle.ts'
import { queryClient } from './api.ts'
import { answeredCapabilities } from './capabilities.ts'
import { onConnection } from './connection.ts'
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

/** Called when a page that needs a session has been drawn. */
export function startLiveUpdates(): void {
  if (started) return
  started = true
  onConnection((isLost) => isLost || refetchFailed())
  followSession(() => isSessionEnded() || refetchFailed())
  // If its code cannot be loaded, pages go on polling.
  whenIdle(() => void follow().catch(() => {}))
}

async function follow(): Promise<void> {
  const stream = await loadPart(() => import('./live-stream.ts'))
  if (!(await answeredCapabilities()).events) return
  isFollowing = stream.isFollowing
  stream.followEvents()
}
