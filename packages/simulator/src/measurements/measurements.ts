/** Measures the simulated rack and its machines in rounds. */
import type { Sample } from '@steading/oxql'
import { type Measurements, ROUND_MS } from '@steading/control-plane/ports'
import type { RunningMachine } from './machines.ts'
import { type Probe, samplesOf } from './probe.ts'
import { countedSince, probesOfMachine, probesOfRack, setMachines } from './rack.ts'
import type { Outside } from './switches.ts'
import type { SledTotals } from './totals.ts'
import { readOutside, readWorld, type WorldParts } from './world.ts'

/** Maximum samples per batch. */
const AT_ONCE = 2_000
/** Rounds between two readings of the inventory: twice a minute. */
const LOOK_EVERY = 6

const isDue = ({ every, phase }: Probe, round: number): boolean =>
  (round + phase) % (every / ROUND_MS) === 0

export function createSimulatedMeasurements(parts: WorldParts): Measurements {
  /** Probes of each machine, with the state they were created from. */
  let machines = new Map<string, { made: string; probes: Probe[] }>()
  const totals = new Map<string, SledTotals>()
  let rack: { made: string; probes: ReturnType<typeof probesOfRack> } | undefined
  let outside: Outside = { links: [], peers: [], bfd: [], imported: [] }

  function lookAtMachines(running: readonly RunningMachine[], at: number): boolean {
    const before = machines
    let changed = before.size !== running.length
    machines = new Map(
      running.map((machine) => {
        const counted = { ...machine, since: countedSince(machine.since, at) }
        const made = JSON.stringify(counted)
        const known = before.get(machine.instance.id)
        if (known?.made === made) return [machine.instance.id, known]
        changed = true
        return [machine.instance.id, { made, probes: probesOfMachine(counted) }]
      }),
    )
    return changed
  }

  async function look(at: number, round: number): Promise<void> {
    const { inventory, machines: running } = await readWorld(parts, at)
    const changed = lookAtMachines(running, at)
    if (changed || !rack) setMachines(totals, inventory, running, at)
    if (rack && round % LOOK_EVERY !== 0) return
    const { bfd, ...rest } = await readOutside(parts.uplinks, inventory)
    const before = outside
    const same = (index: number) => before.bfd[index]?.state === bfd[index]
    outside = {
      ...rest,
      bfd: bfd.map((state, index) => ({
        state,
        since: same(index) ? before.bfd[index]!.since : at,
      })),
    }
    setMachines(totals, inventory, running, at)
    const made = JSON.stringify(inventory)
    if (made === rack?.made) return
    const since = Math.min(at, ...[...totals.values()].map((its) => its.since))
    rack = { made, probes: probesOfRack(inventory, totals, () => outside, since) }
  }

  function* due(round: number): Generator<Probe> {
    for (const { probes } of machines.values()) {
      for (const probe of probes) if (isDue(probe, round)) yield probe
    }
    if (!rack) return
    for (const probe of rack.probes.lasting) if (isDue(probe, round)) yield probe
    for (const probe of rack.probes.sessions()) if (isDue(probe, round)) yield probe
  }

  return {
    async *measure(at, round) {
      await look(at, round)
      let samples: Sample[] = []
      for (const probe of due(round)) {
        samples.push(...samplesOf(probe, at))
        if (samples.length < AT_ONCE) continue
        yield samples
        samples = []
      }
      if (samples.length > 0) yield samples
    },
  }
}
