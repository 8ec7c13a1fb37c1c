import type { Host } from './host.ts'

const ROUND_MS = 5000

/**
 * Lets simulated time pass on a host that does not collect by itself: machines run, and are under
 * load, for this much longer, and their measurements are stored. Without a time, stores the
 * measurements since the last call.
 */
export function simulatedTime({ server }: Host): (passes?: number) => Promise<void> {
  const { database, engines } = server.controlPlane
  let measuredTo: number | undefined
  let round = 0
  return async (passes = 0) => {
    const { db } = database
    if (passes > 0) {
      await db
        .updateTable('simulated_machine')
        .set((eb) => ({ since: eb('since', '-', passes) }))
        .execute()
      await db
        .updateTable('simulated_load')
        .set((eb) => ({ time_began: eb('time_began', '-', passes) }))
        .execute()
    }
    const now = Date.now()
    let at = (measuredTo ?? now - passes) + ROUND_MS
    for (; at <= now; at += ROUND_MS) {
      for await (const samples of engines.measurements!.measure(at, round++)) {
        await engines.timeSeries!.append(samples)
      }
      measuredTo = at
    }
  }
}
