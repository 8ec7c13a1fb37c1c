/** A server's own metrics: its calls, and the transactions that it had to repeat. */
import type { OperationId } from '@steading/api'
import type { Histogram, Sample } from '@steading/oxql'
import type { Instrumentation } from '../../../kernel/instrumentation.ts'

const SERVICE = 'nexus'
/** Most conflicts kept until they are collected. */
const CONFLICTS_KEPT = 1_000

/** Nanoseconds: from ten microseconds to a minute, in three steps for each power of ten. */
const BINS = [
  0,
  ...[4, 5, 6, 7, 8, 9, 10].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power)),
]

/**
 * Adds a value, with the sum of squares by Welford's method.
 * @param before the number of earlier values
 */
function add(histogram: Histogram, before: number, value: number): void {
  const { counts, bins } = histogram
  let bin = bins.length - 1
  while (bins[bin]! > value) bin--
  counts[bin]!++
  const distance = value - (before === 0 ? 0 : histogram.sumOfSamples / before)
  histogram.min = before === 0 ? value : Math.min(histogram.min, value)
  histogram.max = Math.max(histogram.max, value)
  histogram.sumOfSamples += value
  histogram.squaredMean +=
    before === 0 ? 0 : distance * (value - histogram.sumOfSamples / (before + 1))
}

const empty = (): Histogram => ({
  bins: BINS,
  counts: BINS.map(() => 0),
  min: 0,
  max: 0,
  sumOfSamples: 0,
  squaredMean: 0,
})

export interface OwnMeter {
  /** Counts, and passes everything on. */
  measures: Instrumentation
  /** Calls since the server began. */
  calls: () => number
  /** The counts since the server began. */
  samples: (at: number) => Sample[]
}

/** @param serverId distinguishes the series of this server from those of others */
export function createOwnMeter(
  measures: Instrumentation,
  serverId: string,
  clock: () => Date,
): OwnMeter {
  /** When the counts began: with the first call, which comes once the clock is known. */
  let startTime = 0
  const calls = new Map<string, { fields: Sample['fields']; latency: Histogram; count: number }>()
  let total = 0
  let conflicts: Sample[] = []

  const called = (operation_id: OperationId, status_code: number, nanoseconds: number) => {
    startTime ||= clock().getTime()
    const key = `${operation_id} ${status_code}`
    let call = calls.get(key)
    if (!call) {
      const fields = { name: SERVICE, id: serverId, operation_id, status_code }
      calls.set(key, (call = { fields, latency: empty(), count: 0 }))
    }
    add(call.latency, call.count++, nanoseconds)
    total++
  }

  return {
    measures: {
      ...measures,
      called(operation) {
        const ended = measures.called(operation)
        const begun = performance.now()
        return (status) => {
          ended(status)
          if (operation === undefined) return
          called(operation, status, Math.round((performance.now() - begun) * 1e6))
        }
      },
      conflicted(conflict) {
        measures.conflicted(conflict)
        if (conflicts.length >= CONFLICTS_KEPT) return
        conflicts.push({
          name: 'database_transaction:retry_data',
          fields: { name: conflict.kind, attempt: conflict.attempt },
          timestamp: clock().getTime(),
          datum: conflict.seconds,
        })
      },
    },
    calls: () => total,
    samples(at) {
      const retries = conflicts
      conflicts = []
      return [
        ...retries,
        ...Array.from(calls.values(), ({ fields, latency }): Sample => ({
          name: 'http_service:request_latency_histogram',
          fields,
          timestamp: at,
          startTime,
          datum: { ...latency, counts: [...latency.counts] },
        })),
      ]
    },
  }
}
