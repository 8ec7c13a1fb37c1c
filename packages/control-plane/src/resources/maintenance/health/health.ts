import type { Wire } from '@steading/api'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Outages } from '../../../kernel/outages.ts'

/** A database that takes longer to answer counts as unreachable. */
const PATIENCE_MS = 2_000

/** Reports whether a server can take calls. */
export interface HealthWatch {
  /** Reports the server as not ready from now on, so that load balancers send no more calls. */
  leave: () => void
  /** Queries the database, once for all concurrent callers. */
  view: () => Promise<Wire.Health>
}

export function createHealthWatch(
  { probe }: Pick<OpenDatabase, 'probe'>,
  outages: Pick<Outages, 'recognize' | 'lasts'>,
): HealthWatch {
  let leaving = false
  let asking: Promise<boolean> | undefined

  const answers = async (): Promise<boolean> => {
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), PATIENCE_MS)
    const asked = probe().then(
      () => true,
      (error: unknown) => {
        outages.recognize(error)
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
    // Data written to a damaged database may be lost with it.
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
    /** Start time of this server. */
    started: string
    /**
     * Seconds by which the clock of this machine is ahead of that of the database; null if they are
     * the same.
     */
    clockAhead: () => number | null
  }
}
