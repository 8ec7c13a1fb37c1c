/** Samples of declared time series. */
import { collectionSeconds, timeseriesByName } from '@steading/api'
import type { FieldValue, Sample } from '@steading/oxql'
import { ROUND_MS } from '@steading/control-plane/ports'

export type Fields = Readonly<Record<string, FieldValue>>

/** A value of a metric, with its fields besides those of the target. */
export type Reading = readonly [metric: string, value: number | undefined, fields?: Fields]

/** A round of measurements. */
export interface Round {
  /** Milliseconds. */
  at: number
  number: number
}

/**
 * Samples of a target that are due in a round; readings without a value are left out.
 * @param since when its counters were zero; milliseconds
 */
export function samplesOf(
  { at, number }: Round,
  target: string,
  fields: Fields,
  since: number,
  readings: readonly Reading[],
): Sample[] {
  return readings.flatMap(([metric, value, more]): Sample[] => {
    const name = `${target}:${metric}`
    const { datumType } = timeseriesByName.get(name)!
    const every = Math.max(1, Math.round((1000 * collectionSeconds(name)!) / ROUND_MS))
    if (value === undefined || number % every !== 0) return []
    const isCounter = datumType.startsWith('cumulative_')
    return [
      {
        name,
        fields: { ...fields, ...more },
        timestamp: at,
        ...(isCounter ? { startTime: since } : {}),
        datum: value,
      },
    ]
  })
}
