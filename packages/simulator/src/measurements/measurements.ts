/** Measures the simulated rack and its machines in rounds. */
import type { Sample } from '@steading/oxql'
import { fewPerTurn } from '@steading/control-plane/engine'
import { type Inventory, type Measurements, ROUND_MS } from '@steading/control-plane/ports'
import { type Probe, samplesOf } from './probe.ts'
import {
  countedSince,
  partsOfSleds,
  probesOfMachine,
  probesOfSled,
  probesOfSwitches,
  setMachines,
  type SwitchProbes,
} from './rack.ts'
import type { Outside } from './switches.ts'
import type { SledTotals } from './totals.ts'
import { readOutside, readWorld, type WorldParts } from './world.ts'

/** Maximum samples per batch. */
const AT_ONCE = 2_000
/** Rounds between two readings of the inventory: twice a minute. */
const LOOK_EVERY = 6

const isDue = ({ every, phase }: Probe, round: number): boolean =>
  (round + phase) % (every / ROUND_MS) === 0

/** Probes of a thing, with the state that they were made from. */
interface Made {
  from: string
  probes: Probe[]
}
type MadeById = ReadonlyMap<string, Made>

/** Makes the probes of things, except where those of before are from the same state. */
async function made<Thing>(
  before: MadeById,
  things: Iterable<Thing>,
  idOf: (thing: Thing) => string,
  make: (thing: Thing) => Probe[],
): Promise<{ made: MadeById; changed: boolean }> {
  const now = new Map<string, Made>()
  let changed = false
  for await (const thing of fewPerTurn(things)) {
    const from = JSON.stringify(thing)
    const known = before.get(idOf(thing))
    if (known?.from === from) {
      now.set(idOf(thing), known)
      continue
    }
    changed = true
    now.set(idOf(thing), { from, probes: make(thing) })
  }
  return { made: now, changed: changed || now.size !== before.size }
}

export function createSimulatedMeasurements(parts: WorldParts): Measurements {
  let machines: MadeById = new Map()
  let sleds: MadeById = new Map()
  let switches: { from: string; probes: SwitchProbes } | undefined
  const totals = new Map<string, SledTotals>()
  let outside: Outside = { links: [], peers: [], bfd: [], imported: [] }

  async function lookAtSwitches(inventory: Inventory, at: number): Promise<void> {
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
    const { sleds: driven, switches: rows, links, peers, bfd: configured, interfaces } = inventory
    const from = JSON.stringify([driven, rows, links, peers, configured, interfaces.length])
    if (from === switches?.from) return
    const since = Math.min(at, ...[...totals.values()].map((its) => its.since))
    switches = { from, probes: probesOfSwitches(inventory, totals, () => outside, since) }
  }

  async function look(at: number, round: number): Promise<void> {
    const { inventory, machines: running } = await readWorld(parts, at)
    const counted = running.map((machine) => ({
      ...machine,
      since: countedSince(machine.since, at),
    }))
    const ofMachines = await made(machines, counted, ({ instance }) => instance.id, probesOfMachine)
    machines = ofMachines.made
    const looksAtAll = !switches || round % LOOK_EVERY === 0
    if (ofMachines.changed || looksAtAll) await setMachines(totals, inventory, running, at)
    if (!looksAtAll) return
    const ofSleds = await made(
      sleds,
      partsOfSleds(inventory),
      ({ sled }) => sled.id,
      (sled) => probesOfSled(sled, totals),
    )
    sleds = ofSleds.made
    await lookAtSwitches(inventory, at)
  }

  function* all(): Generator<Probe> {
    for (const { probes } of machines.values()) yield* probes
    for (const { probes } of sleds.values()) yield* probes
    if (!switches) return
    yield* switches.probes.lasting
    yield* switches.probes.sessions()
  }

  return {
    async *measure(at, round) {
      await look(at, round)
      let samples: Sample[] = []
      for (const probe of all()) {
        if (!isDue(probe, round)) continue
        samples.push(...samplesOf(probe, at))
        if (samples.length < AT_ONCE) continue
        yield samples
        samples = []
      }
      if (samples.length > 0) yield samples
    },
  }
}
