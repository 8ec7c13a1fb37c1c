import { sql } from 'kysely'
import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Outages } from '../../../kernel/outages.ts'

/** A database that has not answered by then counts as unreachable. */
const PATIENCE_MS = 2_000

/** Whether a server can take calls. */
export interface HealthWatch {
  /** From now on the server is not ready, so that load balancers send no more calls. */
  leave: () => void
  /** Asks the database, once for all who want to know it at the same time. */
  view: () => Promise<Wire.Health>
}

export function createHealthWatch(db: Db, outages: Pick<Outages, 'notice' | 'lasts'>): HealthWatch {
  let leaving = false
  let asking: Promise<boolean> | undefined

  const answers = async (): Promise<boolean> => {
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), PATIENCE_MS)
    const asked = sql`select 1`.execute(db).then(
      () => true,
      (error: unknown) => {
        outages.notice(error)
        return false
      },
    )
    try {
      return await Promise.race([asked, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
  const status = async (): Promise<Wire.HealthStatus> => {
    if (leaving) return 'stopping'
    asking ??= answers().finally(() => (asking = undefined))
    if (!(await asking)) return 'database_unreachable'
    // What is written to a damaged database may be lost with it.
    return outages.lasts('damaged') ? 'database_damaged' : 'ready'
  }

  return {
    leave() {
      leaving = true
    },
    async view() {
      const found = await status()
      return { live: true, ready: found === 'ready', status: found }
    },
  }
}

declare module '../../../kernel/services.ts' {
  interface ControlPlaneServices {
    health: HealthWatch
    /** When this server was started. */
    started: string
  }
}
