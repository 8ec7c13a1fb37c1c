import type { MachineActivity } from './machines.ts'

/** What a sled has done since it is watched. It only grows, whichever machines come and go. */
export interface Totals {
  /** Milliseconds that CPUs have worked for machines. */
  cpu: number
  /** Bytes of the networks and of the disks of machines. */
  traffic: number
  storage: number
}

export interface SledTotals {
  /** When it began to be watched; milliseconds. */
  since: number
  /** Times only rise. */
  at: (time: number) => Totals
  /** The share of the CPUs that was busy in the last so many milliseconds. */
  busyIn: (ms: number, at: number) => number
  /** The machines that are there from now on. */
  set: (machines: readonly MachineActivity[], now: number) => void
}

/** What a sled does besides running machines: a share of its CPUs. */
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
