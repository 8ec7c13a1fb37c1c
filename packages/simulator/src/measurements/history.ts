/**
 * A store that computes the measurements of the simulated rack for requested times, and stores
 * little. It covers the current inventory, back to its creation.
 */
import { type Datum, meetsAll, type Series, seriesId, TooManyPoints } from '@steading/oxql'
import { fewPerTurn, yieldToEventLoop } from '@steading/control-plane/engine'
import type { EngineContext, TimeSeriesStore } from '@steading/control-plane/ports'
import type { SimulatedOptions } from '../options.ts'
import type { SimulatedUplinks } from '../uplinks.ts'
import type { Probe } from './probe.ts'
import {
  countedStretches,
  partsOfSleds,
  probesOfMachine,
  probesOfSled,
  probesOfSwitches,
  setMachines,
} from './rack.ts'
import type { Outside } from './switches.ts'
import type { SledTotals } from './totals.ts'
import { readOutside, readWorld } from './world.ts'

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
/** More points than this are thinned out. */
const POINTS = 200_000
/** Milliseconds of work before yielding to other work. */
const TURN_MS = 15

/** A counter's value if only every nth sample had counted. */
function thinned(value: Datum | null, first: Datum | null, every: number): Datum | null {
  if (every === 1 || value === null || first === null) return value
  if (typeof value === 'number') {
    const from = first as number
    return from + Math.floor((value - from) / every)
  }
  const from = first as typeof value
  return {
    ...value,
    counts: value.counts.map((count, bin) => thinned(count, from.counts[bin]!, every) as number),
    sumOfSamples: from.sumOfSamples + (value.sumOfSamples - from.sumOfSamples) / every,
  }
}

/** Initial value of a counter. */
const zeroOf = (value: Datum | null): Datum | null =>
  value === null || typeof value === 'number'
    ? 0
    : { ...value, counts: value.counts.map(() => 0), sumOfSamples: 0 }

/** A probe, and the time when another one continues its series. */
interface Lasting {
  probe: Probe
  until: number
}

interface Wanted extends Lasting {
  /** The requested series, and their points so far. */
  series: { index: number; first: Datum | null; points: Series }[]
}

/** @param kept store of appended samples, such as the control plane's own metrics */
export function simulatedHistory(
  parts: EngineContext,
  uplinks: SimulatedUplinks,
  options: SimulatedOptions,
  kept: TimeSeriesStore,
): TimeSeriesStore {
  const { clock } = parts

  /** All probes as of a time. */
  async function probesAt(from: number, now: number): Promise<Lasting[]> {
    const { inventory, machines } = await readWorld({ ...parts, uplinks, options }, now)
    const { bfd, ...rest } = await readOutside(uplinks, inventory)
    const outside: Outside = {
      ...rest,
      bfd: bfd.map((state, index) => ({ state, since: inventory.bfd[index]!.since.getTime() })),
    }
    const totals = new Map<string, SledTotals>()
    await setMachines(totals, inventory, machines, from)
    const probes: Lasting[] = []
    const add = (some: readonly Probe[], until: number) => {
      for (const probe of some) probes.push({ probe, until })
    }
    for await (const machine of fewPerTurn(machines)) {
      for (const { since, until } of countedStretches(machine.since, from, now)) {
        add(probesOfMachine({ ...machine, since }), until)
      }
    }
    for await (const sled of fewPerTurn(partsOfSleds(inventory))) {
      add(probesOfSled(sled, totals), Infinity)
    }
    const { lasting, sessions } = probesOfSwitches(inventory, totals, () => outside, from)
    add([...lasting, ...sessions()], Infinity)
    return probes
  }

  return {
    append: kept.append,
    isElsewhere: kept.isElsewhere,
    status: kept.status,
    async read(selection, maxPoints, signal) {
      const now = clock().getTime()
      const from = Math.max(selection.from ?? -Infinity, now - KEPT_MS)
      // The current time is included.
      const to = Math.min(selection.to ?? Infinity, now + 1)
      const appended = await kept.read(selection, maxPoints)
      if (from >= to) return appended
      const meets = meetsAll(selection.where)
      const found = new Map<string, Series>()
      const wanted = (await probesAt(from, now)).flatMap(({ probe, until }): Wanted[] => {
        const series = probe.series.flatMap(({ key, isCounter }, index) => {
          if (key.name !== selection.name || !meets(key.fields)) return []
          const id = seriesId(key)
          const points = found.get(id) ?? { fields: key.fields, timestamps: [], values: [] }
          if (isCounter) points.startTimes ??= []
          found.set(id, points)
          return [{ index, first: null, points }]
        })
        return series.length > 0 ? [{ probe, until, series }] : []
      })
      const [{ every = 1 } = {}] = wanted.map(({ probe }) => probe)
      const all = wanted.reduce((sum, { series, probe, until }) => {
        const length = Math.max(0, Math.min(to, until) - Math.max(from, probe.since)) / every
        return sum + series.length * length
      }, 0)
      // Rounding can add a point to each series.
      const limit = Math.min(POINTS, maxPoints)
      const most = limit > 2 * found.size ? limit - found.size : limit
      const thin = Math.max(1, Math.ceil(all / most))
      const step = thin * every
      let turn = performance.now()
      // In order of time, because the totals of sleds accumulate.
      for (let at = Math.ceil(from / step) * step; at < to; at += step) {
        for (const { probe, until, series } of wanted) {
          if (at <= probe.since || at > until) continue
          const values = probe.read(at)
          for (const one of series) {
            const { points } = one
            const value = values[one.index]!
            if (points.startTimes) {
              one.first ??= probe.since >= from ? zeroOf(value) : value
              points.startTimes.push(probe.since)
            }
            points.timestamps.push(at)
            points.values.push(points.startTimes ? thinned(value, one.first, thin) : value)
          }
        }
        if (performance.now() - turn < TURN_MS) continue
        await yieldToEventLoop()
        signal?.throwIfAborted()
        turn = performance.now()
      }
      const computed = [...found.values()].filter(({ timestamps }) => timestamps.length > 0)
      const points = [...appended, ...computed].reduce((sum, one) => sum + one.timestamps.length, 0)
      if (points > maxPoints) throw new TooManyPoints()
      return [...appended, ...computed]
    },
  }
}
