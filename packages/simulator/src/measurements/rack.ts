import { fewPerTurn } from '@steading/control-plane/engine'
import type { Inventory } from '@steading/control-plane/ports'
import { machineActivity, machineProbes, type RunningMachine } from './machines.ts'
import type { Probe } from './probe.ts'
import { idOf, sledProbes, type SledWithParts } from './sleds.ts'
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

/** The measured sleds, with what is on them. */
export function partsOfSleds({ sleds, pools, instances, interfaces }: Inventory): SledWithParts[] {
  const sledOf = new Map(instances.map(({ id, sledId }) => [id, sledId]))
  const poolsOf = Map.groupBy(pools, ({ sledId }) => sledId)
  const interfacesOf = Map.groupBy(interfaces, ({ instanceId }) => sledOf.get(instanceId)!)
  return sleds.map((sled) => ({
    sled,
    pools: poolsOf.get(sled.id) ?? [],
    interfaces: interfacesOf.get(sled.id) ?? [],
  }))
}

/** Assigns machines to their sleds. */
export async function setMachines(
  totals: Map<string, SledTotals>,
  { sleds }: Inventory,
  machines: readonly RunningMachine[],
  now: number,
): Promise<void> {
  const machinesOf = Map.groupBy(machines, ({ sled }) => sled.id)
  for await (const { id, threads } of fewPerTurn(sleds)) {
    let its = totals.get(id)
    if (!its) totals.set(id, (its = createTotals(threads, now)))
    its.set((machinesOf.get(id) ?? []).map(machineActivity), now)
  }
}

export const probesOfSled = (its: SledWithParts, totals: ReadonlyMap<string, SledTotals>) =>
  sledProbes(its, totals.get(its.sled.id)!, serviceIds.gateway)

/** Probes of the switches: those that last, and those of their sessions. */
export interface SwitchProbes {
  lasting: Probe[]
  sessions: () => Probe[]
}

export function probesOfSwitches(
  inventory: Inventory,
  totals: ReadonlyMap<string, SledTotals>,
  outside: () => Outside,
  since: number,
): SwitchProbes {
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
    lasting: driven.flatMap(({ lasting }) => lasting),
    sessions: () => driven.flatMap(({ sessions }) => sessions()),
  }
}
