import type { Settings } from '../settings.ts'

/** Work that is repeated at an interval, one run after the other. */
export interface PeriodicTask {
  start: () => void
  /** Runs the work once more, after the runs that are already due. */
  now: () => Promise<void>
  /** Waits for the present run. */
  stop: () => Promise<void>
}

/** @param what names the work in the log when it fails */
export function createPeriodicTask(
  what: string,
  ms: number,
  work: () => Promise<void>,
  log: Settings['log'],
): PeriodicTask {
  let timer: ReturnType<typeof setInterval> | undefined
  let running = Promise.resolve()
  const run = () => work().catch((error) => log(`${what} failed`, error))
  const now = () => (running = running.then(run))
  return {
    now,
    start: () => void (timer = setInterval(now, ms)),
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
