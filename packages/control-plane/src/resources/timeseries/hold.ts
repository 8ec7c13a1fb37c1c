import type { OpenDatabase } from '../../kernel/db/database.ts'
import { RENEW_MS, releaseLease, renewLease, takeLease } from '../../kernel/db/leases.ts'
import type { Settings } from '../../kernel/settings.ts'

/** A task that one server at a time has for as long as it runs. */
export interface Hold {
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Whether this server has it. */
  held: () => boolean
}

/**
 * The server has it by a lease; where there can be only one server, it always has it.
 * @param can tells whether this server could do the task; another one has it otherwise
 */
export function createHold(
  database: OpenDatabase,
  name: string,
  log: Settings['log'],
  can: () => Promise<boolean>,
): Hold {
  if (!database.shared) return { start: async () => {}, stop: async () => {}, held: () => true }
  let token: number | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let running: Promise<void> = Promise.resolve()
  const keep = async () => {
    if (token !== undefined && (await renewLease(database, name, token))) return
    token = undefined
    if (await can()) token = await takeLease(database, name)
  }
  return {
    async start() {
      await keep()
      timer = setInterval(() => {
        running = running.then(keep).catch((error) => {
          // It may have run out by now.
          token = undefined
          log(`keeping the lease "${name}" failed`, error)
        })
      }, RENEW_MS)
    },
    async stop() {
      clearInterval(timer)
      await running
      if (token !== undefined) await releaseLease(database.db, name, token)
      token = undefined
    },
    held: () => token !== undefined,
  }
}
