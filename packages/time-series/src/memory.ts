import { AHEAD_KEPT_MS, AHEAD_MS } from '@steading/api/rules'
import {
  type Datum,
  meetsAll,
  type Sample,
  type SeriesKey,
  seriesId,
  TooManyPoints,
} from '@steading/oxql'
import type { TimeSeriesStore } from '@steading/control-plane/ports'
import { Ring } from './ring.ts'

export interface MemoryOptions {
  /** Points kept per series; default: an hour at one per five seconds. */
  points?: number
  /** Maximum number of series; the least recently written one is dropped. */
  series?: number
  now?: () => number
}

interface Kept {
  fields: SeriesKey['fields']
  timestamps: Ring<number>
  /** Undefined for gauges. */
  startTimes: Ring<number> | undefined
  values: Ring<Datum | null>
}

/** A time series store in memory, for hosts without storage. It keeps the latest points. */
export function memoryTimeSeries({
  points = 720,
  series: most = 20_000,
  now = () => Date.now(),
}: MemoryOptions = {}): TimeSeriesStore {
  /** Series by name, and all of them, by the time of the last sample. */
  const named = new Map<string, Map<string, Kept>>()
  const all = new Map<string, string>()
  let appended = 0
  let dropped = 0
  /** Latest time of all points. */
  let newest = -Infinity
  /** Series that had points of the future, until the time of these has come. */
  let ahead: { count: number; since: number; to: number } | undefined

  /** @returns whether the sample was accepted */
  function take(sample: Sample): boolean {
    const { name, fields, timestamp, startTime, datum } = sample
    const id = seriesId(sample)
    let ofName = named.get(name)
    if (!ofName) named.set(name, (ofName = new Map()))
    let kept = ofName.get(id)
    if (!kept) {
      kept = {
        fields,
        timestamps: new Ring(points),
        startTimes: startTime === undefined ? undefined : new Ring(points),
        values: new Ring(points),
      }
      ofName.set(id, kept)
    }
    const last = kept.timestamps.last
    if (last !== undefined && timestamp <= last) return false
    kept.timestamps.push(timestamp)
    kept.startTimes?.push(startTime!)
    kept.values.push(datum)
    newest = Math.max(newest, timestamp)
    all.delete(id)
    all.set(id, name)
    return true
  }

  function forgetOldest(): void {
    for (const [id, name] of all) {
      if (all.size <= most) return
      all.delete(id)
      const ofName = named.get(name)!
      ofName.delete(id)
      if (ofName.size === 0) named.delete(name)
    }
  }

  /** Removes points that the clock cannot have reached yet. */
  function followClock(time: number): void {
    if (ahead && (ahead.to < time || ahead.since < time - AHEAD_KEPT_MS)) ahead = undefined
    if (newest <= time + AHEAD_MS) return
    let count = 0
    for (const ofName of named.values()) {
      for (const { timestamps, startTimes, values } of ofName.values()) {
        const length = timestamps.findIndex((at) => at >= time)
        if (length < timestamps.length) count++
        for (const ring of [timestamps, startTimes, values]) ring?.truncate(length)
      }
    }
    ahead = { count, since: time, to: newest }
    newest = time
  }

  return {
    async append(samples) {
      appended += samples.length
      const time = now()
      followClock(time)
      for (const sample of samples) {
        if (sample.timestamp > time + AHEAD_MS || !take(sample)) dropped++
      }
      forgetOldest()
    },

    async read({ name, where, from = -Infinity, to = Infinity }, maxPoints, signal) {
      signal?.throwIfAborted()
      followClock(now())
      const meets = meetsAll(where)
      let left = maxPoints
      return [...(named.get(name)?.values() ?? [])].flatMap((kept) => {
        if (!meets(kept.fields)) return []
        const { timestamps } = kept
        const begin = timestamps.findIndex((time) => time >= from)
        const end = timestamps.findIndex((time) => time >= to)
        if (begin === end) return []
        left -= end - begin
        if (left < 0) throw new TooManyPoints()
        return [
          {
            fields: kept.fields,
            timestamps: timestamps.slice(begin, end),
            ...(kept.startTimes && { startTimes: kept.startTimes.slice(begin, end) }),
            values: kept.values.slice(begin, end),
          },
        ]
      })
    },

    isElsewhere: async () => false,
    async status() {
      followClock(now())
      const status = { series: all.size, appended, dropped }
      return ahead ? { ...status, ahead: { count: ahead.count, since: ahead.since } } : status
    },
  }
}
