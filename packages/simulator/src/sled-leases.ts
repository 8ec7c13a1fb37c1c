import {
  fewPerTurn,
  LEASE_MS,
  releaseLease,
  RENEW_MS,
  renewLease,
  takeLease,
} from '@steading/control-plane/engine'
import type { EngineContext } from '@steading/control-plane/ports'
import { type HeldSled, leaseOf, type Rows } from './rows.ts'

/**
 * Sleds driven by this server. Each sled is driven by one server at a time, with a lease. A single
 * server drives all sleds without leases.
 */
export interface SledLeases {
  /** Takes free sleds, and renews their leases. */
  start: () => Promise<void>
  stop: () => Promise<void>
  /** The sled, if this server currently drives it. */
  held: (sledId: string) => HeldSled | undefined
  /** All sleds with a lease of this server. */
  all: () => HeldSled[]
}

/**
 * @param taken called with a sled that this server drives from now on
 * @param lost called with a sled that another server may drive from now on
 */
export function createSledLeases(
  rows: Rows,
  { database, log }: EngineContext,
  taken: (sledId: string) => Promise<void>,
  lost: (sledId: string) => void,
): SledLeases {
  if (!database.shared) {
    return {
      async start() {
        for await (const id of fewPerTurn(await rows.sleds())) await taken(id)
      },
      stop: async () => {},
      held: (id) => ({ id, token: undefined }),
      all: () => [],
    }
  }

  /** Sled → its token, and the guaranteed end of the lease by the monotonic clock. */
  const leases = new Map<string, { token: number; until: number }>()
  let timer: ReturnType<typeof setInterval> | undefined
  let running: Promise<void> = Promise.resolve()

  const keepOne = async (id: string): Promise<void> => {
    const until = performance.now() + LEASE_MS
    const lease = leases.get(id)
    if (lease) {
      if (await renewLease(database, leaseOf(id), lease.token)) {
        lease.until = until
        return
      }
      leases.delete(id)
      lost(id)
    }
    const token = await takeLease(database, leaseOf(id))
    if (token === undefined) return
    leases.set(id, { token, until })
    await taken(id)
  }
  const keep = async (): Promise<void> => {
    for (const id of await rows.sleds()) await keepOne(id)
    await rows.forgetViewers()
  }

  return {
    async start() {
      await keep()
      timer = setInterval(() => {
        running = running
          .then(keep)
          .catch((error) => log('renewing the leases of sleds failed', error))
      }, RENEW_MS)
    },
    async stop() {
      clearInterval(timer)
      await running
      for (const [id, { token }] of leases) await releaseLease(database.db, leaseOf(id), token)
      leases.clear()
    },
    held(id) {
      const lease = leases.get(id)
      return lease && performance.now() < lease.until ? { id, token: lease.token } : undefined
    },
    all() {
      const now = performance.now()
      return [...leases]
        .filter(([, { until }]) => now < until)
        .map(([id, { token }]) => ({ id, token }))
    },
  }
}
