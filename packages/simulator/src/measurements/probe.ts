import { collectionSeconds, timeseriesByName } from '@steading/api'
import type { Datum, FieldValue, Sample, SeriesKey } from '@steading/oxql'
import { seedOf } from './random.ts'

export type Fields = Readonly<Record<string, FieldValue>>

/** A metric of a target, with its own fields if it has some. */
export type Measured = string | [metric: string, fields: Fields]

/** What is read of one thing at one time: the values of some series. */
export interface Probe {
  /** Milliseconds between two readings, and which of the rounds in between is its. */
  every: number
  phase: number
  /** When the thing began to be there; its counters began at zero then. */
  since: number
  series: readonly { key: SeriesKey; isCounter: boolean }[]
  /** One value for each of the series. Times only rise. */
  read: (at: number) => readonly (Datum | null)[]
}

/** The metrics of a probe have one collection interval. */
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

/** What a probe reads at a time. */
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
