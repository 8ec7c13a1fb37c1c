import type { OpenDatabase } from './db/database.ts'
import { LEASE_MS, RENEW_MS, releaseLease, renewLease, takeLease } from './db/leases.ts'
import type { Settings } from './settings.ts'

/** A task that one server at a time holds while it runs. */
export interface TaskLease {
  start: () => Promise<void>
  stop: () => Promise<void>
  /**
   * Takes it if it is free.
   * @returns whether this server holds it
   */
  take: () => Promise<boolean>
  /** Whether this server certainly holds it at this moment. */
  held: () => boolean
}

/**
 * The server holds it by a lease; where there can be only one server, it always holds it. A server
 * that was suspended for a while, or cannot reach the database, holds it until its last renewal may
 * have run out, and no longer, because another server takes it then.
 * @param can whether this server is able to do the task; if not, it leaves it to another one
 */
export function createTaskLease(
  database: OpenDatabase,
  name: string,
  log: Settings['log'],
  can: () => Promise<boolean>,
): TaskLease {
  if (!database.shared) {
    return {
      start: async () => {},
      stop: async () => {},
      take: async () => true,
      held: () => true,
    }
  }
  /** Its token, and the time until which it is certainly held, by the monotonic clock. */
  let lease: { token: number; until: number } | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let running: Promise<void> = Promise.resolve()
  let failing = false
  const held = () => lease !== undefined && performance.now() < lease.until

  const release = async () => {
    const token = lease?.token
    lease = undefined
    if (token !== undefined) await releaseLease(database.db, name, token)
  }
  const renew = async () => {
    if (!(await can())) return release()
    const until = performance.now() + LEASE_MS
    if (lease && (await renewLease(database, name, lease.token))) {
      lease.until = until
      return
    }
    lease = undefined
    const token = await takeLease(database, name)
    if (token !== undefined) lease = { token, until }
  }
  const keep = (): Promise<void> => {
    running = running.then(renew).then(
      () => void (failing = false),
      (error) => {
        if (!failing) log(`keeping the lease "${name}" failed`, error)
        failing = true
      },
    )
    return running
  }
  return {
    async start() {
      await keep()
      timer = setInterval(keep, RENEW_MS)
    },
    async stop() {
      clearInterval(timer)
      await running
      // A lease that cannot be released expires.
      await release().catch((error) => log(`releasing the lease "${name}" failed`, error))
    },
    async take() {
      if (!held()) await keep()
      return held()
    },
    held,
  }
}
