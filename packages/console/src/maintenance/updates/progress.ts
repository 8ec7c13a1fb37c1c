import type { UpdateStatus } from '@steading/api/client'

/** How many components run the target release; undefined without a target or any component. */
export function progressOf({ targetRelease, componentsByReleaseVersion: counts }: UpdateStatus) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (!targetRelease || total === 0) return undefined
  const done = counts[targetRelease.version] ?? 0
  // Rounded down: it is not over until the last one is.
  return { done, total, percent: Math.floor((100 * done) / total) }
}

const RECENT_MS = 30 * 60_000
const OFTEN_MS = 20_000
const SELDOM_MS = 120_000

/** How often the status is read where no events tell of it. */
export function pollInterval(status: UpdateStatus | undefined, now = Date.now()): number {
  const times = [status?.timeLastStepPlanned, status?.targetRelease?.timeRequested]
  const isRecent = times.some((time) => time && now - time.getTime() < RECENT_MS)
  return isRecent ? OFTEN_MS : SELDOM_MS
}
