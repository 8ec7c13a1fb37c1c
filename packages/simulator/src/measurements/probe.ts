import { collectionSeconds, timeseriesByName } from '@steading/api'
import type { Datum, FieldValue, Sample, SeriesKey } from '@steading/oxql'
import { seedOf } from './random.ts'

export type Fields = Readonly<Record<string, FieldValue>>

/** A metric of a target, with additional fields if it has any. */
export type Measured = string | [metric: string, fields: Fields]

/** Reads several series of one target at a time. */
export interface Probe {
  /** Milliseconds between two readings, and its round within that interval. */
  every: number
  phase: number
  /** Creation time of the target, at which its counters were zero. */
  since: number
  series: readonly { key: SeriesKey; isCounter: boolean }[]
  /** One value per series. Times must ascend. */
  read: (at: number) => readonly (Datum | null)[]
}

/** All metrics of a probe have the same collection interval. */
export interface ProbeOptions {
  since: number
  target: string
  fields: Fields
  metrics: readonly Measured[]
  read: Probe['read']
}

export function probeOf({ since, target, fields, metrics, read }: ProbeOptions): Probe {
  const series = metrics.map((measured) => {
    const [metric, more] = typeof measured === 'string' ? [measured, {}] : measured
    const name = `${target}:${metric}`
    const { datumType } = timeseriesByName.get(name)!
    return {
      key: { name, fields: { ...fields, ...more } },
      isCounter: /^(cumulative|histogram)_/.test(datumType),
    }
  })
  const every = 1000 * collectionSeconds(series[0]!.key.name)!
  return { every, since, series, read, phase: seedOf(JSON.stringify(fields)) }
}

/** Samples of a probe at a time. */
export const samplesOf = ({ series, since, read }: Probe, at: number): Sample[] => {
  const values = read(at)
  return series.map(({ key, isCounter }, index) => ({
    name: key.name,
    fields: key.fields,
    timestamp: at,
    ...(isCounter ? { startTime: since } : {}),
    datum: values[index]!,
  }))
}
