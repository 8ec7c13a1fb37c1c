import type { Inventory } from '@steading/control-plane/ports'
import { machineActivity, machineProbes, type RunningMachine } from './machines.ts'
import type { Probe } from './probe.ts'
import { idOf, sledProbes } from './sleds.ts'
import { type Outside, switchProbes } from './switches.ts'
import { createTotals, type SledTotals } from './totals.ts'

/** Ids of the services that read sensors and check machines. */
export const serviceIds = { nexus: idOf('nexus'), gateway: idOf('gateway') }

/**
 * A counter of nanoseconds must restart before it exceeds exact numbers, which it does after 104
 * days.
 */
const COUNTED_MS = 90 * 24 * 60 * 60 * 1000

/** Start of the counters of a subject that has existed since some time. */
export const countedSince = (since: number, now: number): number =>
  since + Math.floor(Math.max(0, now - since) / COUNTED_MS) * COUNTED_MS

/** Periods of a subject's counters between restarts, up to now. */
export function countedStretches(
  since: number,
  from: number,
  now: number,
): { since: number; until: number }[] {
  const stretches: { since: number; until: number }[] = []
  for (let begin = countedSince(since, from); begin < now; begin += COUNTED_MS) {
    stretches.push({ since: begin, until: begin + COUNTED_MS })
  }
  return stretches
}

export const probesOfMachine = (machine: RunningMachine): Probe[] =>
  machineProbes(machine, serviceIds.nexus)

/** Assigns machines to their sleds. */
export function setMachines(
  totals: Map<string, SledTotals>,
  { sleds }: Inventory,
  machines: readonly RunningMachine[],
  now: number,
): void {
  for (const { id, threads } of sleds) {
    let its = totals.get(id)
    if (!its) totals.set(id, (its = createTotals(threads, now)))
    its.set(machines.filter(({ sled }) => sled.id === id).map(machineActivity), now)
  }
}

/** Probes of the rack without machines. */
export function probesOfRack(
  inventory: Inventory,
  totals: ReadonlyMap<string, SledTotals>,
  outside: () => Outside,
  since: number,
): { lasting: Probe[]; sessions: () => Probe[] } {
  const { sleds, switches } = inventory
  const [first] = sleds
  const driven = first
    ? switches.map((its, index) =>
        switchProbes(
          { its, sled: sleds[index] ?? first, totals, inventory, since },
          outside,
          serviceIds.gateway,
        ),
      )
    : []
  return {
    lasting: [
      ...sleds.flatMap((sled) =>
        sledProbes(sled, totals.get(sled.id)!, inventory, serviceIds.gateway),
      ),
      ...driven.flatMap(({ lasting }) => lasting),
    ],
    sessions: () => driven.flatMap(({ sessions }) => sessions()),
  }
}
