import type { MachineActivity } from './machines.ts'

/** Totals of a sled since the start of monitoring. They only grow, even if machines come and go. */
export interface Totals {
  /** CPU milliseconds used by machines. */
  cpu: number
  /** Network and disk bytes of machines. */
  traffic: number
  storage: number
}

export interface SledTotals {
  /** Start of monitoring in milliseconds. */
  since: number
  /** Times must ascend. */
  at: (time: number) => Totals
  /** Busy share of the CPUs in the last milliseconds. */
  busyIn: (ms: number, at: number) => number
  /** Replaces the current machines. */
  set: (machines: readonly MachineActivity[], now: number) => void
}

/** Share of the CPUs that a sled uses besides running machines. */
export const HOUSEKEEPING = 0.02

export function createTotals(threads: number, since: number): SledTotals {
  let machines: readonly MachineActivity[] = []
  const totals: Totals = { cpu: 0, traffic: 0, storage: 0 }
  let counted = since
  const advance = (to: number) => {
    if (to <= counted) return
    for (const machine of machines) {
      const from = Math.max(counted, machine.since)
      if (from >= to) continue
      totals.cpu += machine.ncpus * machine.cpu.busy(from, to)
      totals.traffic += machine.traffic(from, to)
      totals.storage += machine.storage(from, to)
    }
    counted = to
  }
  return {
    since,
    at(time) {
      advance(time)
      return totals
    },
    busyIn(ms, at) {
      const work = machines.reduce((sum, { cpu, ncpus, since: begun }) => {
        const from = Math.max(begun, at - ms)
        return at > from ? sum + ncpus * cpu.busy(from, at) : sum
      }, 0)
      return Math.min(1, HOUSEKEEPING + work / (threads * ms))
    },
    set(others, now) {
      advance(now)
      machines = others
    },
  }
}
