/** The load of past minutes, from a store that computes measurements when they are read. */
import { collectionSeconds } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { type Series, TooManyPoints } from '@steading/oxql'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { TimeSeriesStore } from '../../../kernel/ports/time-series.ts'
import { pointsOfFleet } from '../metrics/points.ts'
import { counters, type Load, POWER, targetsOf } from './load-meter.ts'
import { minuteOf, STEP_MS } from './loads.ts'

/** Points read at once; stores thin out more, or refuse to read them. */
const POINTS = 20_000
/** Time before the first minute that is read, so that thinned-out counters have earlier values. */
const EARLIER_MS = 12 * 60_000
/** A value stands for the time up to this long after it, in milliseconds. */
const LASTS_MS = 10 * 60_000
/** Series handled in a turn of the event loop. */
const AT_ONCE = 200

/** Minute → target → its load. */
type Loads = Map<string, Map<string, Load>>

function addTo(loads: Loads, minute: number, target: string, column: keyof Load, value: number) {
  const time = minuteOf(minute)
  const targets = loads.get(time) ?? new Map<string, Load>()
  loads.set(time, targets)
  const load = targets.get(target) ?? {}
  targets.set(target, load)
  load[column] = (load[column] ?? 0) + value
}

/** Values of a series at the times of its points; of a counter, its increase per second. */
function valuesOf({ timestamps, values }: Series, seconds: number | undefined) {
  return timestamps.flatMap((at, index) => {
    const value = values[index]
    if (typeof value !== 'number') return []
    if (seconds === undefined) return [{ at, value }]
    const before = values[index - 1]
    if (typeof before !== 'number') return []
    // Of a series that was thinned out, each point has the increase of one sampling interval.
    return [{ at, value: (value >= before ? value - before : value) / seconds }]
  })
}

/** The mean of the values in each minute; before the next value, the last one. */
function* byMinute(points: readonly { at: number; value: number }[], from: number, to: number) {
  let next = 0
  for (let minute = from; minute < to; minute += STEP_MS) {
    let sum = 0
    let count = 0
    for (; next < points.length && points[next]!.at <= minute + STEP_MS; next++) {
      if (points[next]!.at <= minute) continue
      sum += points[next]!.value
      count++
    }
    const last = points[next - 1]
    if (count > 0) yield { minute, value: sum / count }
    else if (last && minute - last.at < LASTS_MS) yield { minute, value: last.value }
  }
}

async function readSeries(
  store: TimeSeriesStore,
  name: string,
  except: readonly string[],
  from: number,
  to: number,
): Promise<Series[]> {
  const where = except.map((value) => ({ field: 'state', comparison: '!=' as const, value }))
  try {
    return await store.read({ name, where, from: from - EARLIER_MS, to }, POINTS)
  } catch (error) {
    if (error instanceof TooManyPoints) return []
    throw error
  }
}

/**
 * The load of whole minutes.
 * @param from beginning of the first one, in milliseconds
 * @param to end of the last one
 */
export async function readLoads(
  db: Db,
  store: TimeSeriesStore,
  from: number,
  to: number,
): Promise<Loads> {
  const loads: Loads = new Map()
  const add = async (
    name: string,
    column: keyof Load,
    { except = [], seconds }: { except?: readonly string[]; seconds?: number },
  ) => {
    const series = await readSeries(store, name, except, from, to)
    for (const [index, one] of series.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
      for (const { minute, value } of byMinute(valuesOf(one, seconds), from, to)) {
        for (const target of targetsOf(one.fields)) addTo(loads, minute, target, column, value)
      }
    }
  }
  for (const [name, { column, except, per = 1 }] of Object.entries(counters)) {
    await add(name, column, { except, seconds: collectionSeconds(name)! * per })
  }
  await add(POWER, 'power', {})
  const always = { start: '', end: new Date(from).toISOString(), descending: true, limit: 1 }
  const points = [
    ...(await pointsOfFleet(db, 'cpus_provisioned', always)),
    ...(await pointsOfFleet(db, 'cpus_provisioned', {
      start: always.end,
      end: new Date(to).toISOString(),
      descending: false,
      limit: POINTS,
    })),
  ].map(({ time, value }) => ({ at: Date.parse(time), value }))
  for (let minute = from; minute < to; minute += STEP_MS) {
    const present = points.findLast(({ at }) => at < minute + STEP_MS)
    if (present) addTo(loads, minute, FLEET_ID, 'cpus_provisioned', present.value)
  }
  return loads
}
