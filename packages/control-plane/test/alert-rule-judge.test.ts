/** The state machine of a series, compared with the definition of a rule. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Change,
  type Condition,
  evaluateSeries,
  type SeriesStatus,
} from '../src/resources/observability/alert-rules/evaluate-series.ts'

const MINUTE = 60_000
const STALE = 5 * MINUTE

type Point = { at: number; value: number }

/**
 * Whether a series fires, computed from its points alone: a run of points past the threshold,
 * without a gap long enough to have no data, that has lasted for the duration.
 */
function firingAt(points: readonly Point[], index: number, condition: Condition): boolean {
  const passes = ({ value }: Point) =>
    condition.comparison === 'above' ? value > condition.threshold : value < condition.threshold
  if (!passes(points[index]!)) return false
  let first = index
  while (
    first > 0 &&
    passes(points[first - 1]!) &&
    points[first]!.at - points[first - 1]!.at <= condition.stale
  ) {
    first--
  }
  // After too long a gap, the run starts again at its first point.
  return points[index]!.at - points[first]!.at >= condition.duration
}

const pointsArbitrary = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 700 })),
      value: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(Number.NaN)),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let at = 0
    return steps.map(({ gap, value }) => ({ at: (at += gap * 1000), value }))
  })

const conditionArbitrary = fc.record({
  comparison: fc.constantFrom('above' as const, 'below' as const),
  threshold: fc.constantFrom(0.5, 1, 2),
  duration: fc.constantFrom(0, 30_000, 2 * MINUTE),
  stale: fc.constant(STALE),
})

/** Judges the points in pieces, some of which overlap, as frequent evaluations do. */
function judgeInPieces(condition: Condition, points: readonly Point[], cuts: readonly number[]) {
  let state: SeriesStatus | undefined
  const changes: Change[] = []
  const ends = [...new Set(cuts.map((cut) => cut % (points.length + 1)))].toSorted((a, b) => a - b)
  for (const end of [...ends, points.length]) {
    // All points are read again each time, and known ones are skipped.
    const seen = points.slice(0, end)
    const now = seen.at(-1)?.at ?? 0
    const result = evaluateSeries(
      condition,
      state,
      { timestamps: seen.map(({ at }) => at), values: seen.map(({ value }) => value) },
      now,
    )
    state = result.after
    changes.push(...result.changes)
  }
  return { state, changes }
}

test('fires as defined, however often a series is evaluated', () => {
  fc.assert(
    fc.property(
      conditionArbitrary,
      pointsArbitrary,
      fc.array(fc.nat(), { maxLength: 8 }),
      (condition, points, cuts) => {
        const measured = points.filter(({ value }) => !Number.isNaN(value))
        const { state, changes } = judgeInPieces(condition, points, cuts)
        const last = measured.length - 1
        if (last < 0) {
          expect(state).toBeUndefined()
          expect(changes).toEqual([])
          return
        }
        const fires = measured.map((_, index) => firingAt(measured, index, condition))
        // Missing values at the end may last until the series has no data.
        const lapsed = points.at(-1)!.at - measured[last]!.at > STALE
        expect(state!.state === 'firing').toBe(fires[last]! && !lapsed)
        expect(state!.seen).toBe(measured[last]!.at)
        const began = measured.flatMap(({ at }, index) => {
          const before = measured[index - 1]
          const went = before && fires[index - 1]! && at - before.at <= STALE
          return fires[index]! && !went ? [at] : []
        })
        expect(changes.flatMap((change) => (change.kind === 'fired' ? [change.at] : []))).toEqual(
          began,
        )
        // Each firing ends before the next one begins.
        const kinds = changes.map(({ kind }) => kind)
        expect(kinds).toEqual(kinds.map((_, index) => (index % 2 === 0 ? 'fired' : 'resolved')))
        expect(kinds.at(-1) === 'fired').toBe(state!.state === 'firing')
      },
    ),
  )
})

test('missing values fire after the duration, and resolve with the next value', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 900 }), (seconds, rest) => {
      const condition = {
        comparison: 'no_data',
        threshold: Number.NaN,
        duration: 5 * MINUTE,
        stale: STALE,
      } as const
      let at = 0
      const timestamps = seconds.map((gap) => (at += gap * 1000))
      const now = at + rest * 1000
      const points = { timestamps, values: timestamps.map(() => 1) }
      const { after, changes } = evaluateSeries(condition, undefined, points, now)
      const long = timestamps.flatMap((time, index) =>
        index > 0 && time - timestamps[index - 1]! >= condition.duration
          ? [timestamps[index - 1]! + condition.duration]
          : [],
      )
      const ends = now - at >= condition.duration
      expect(changes.flatMap((change) => (change.kind === 'fired' ? [change.at] : []))).toEqual(
        ends ? [...long, at + condition.duration] : long,
      )
      expect(after!.state === 'firing').toBe(ends)
      expect(after!.state === 'ok').toBe(now - at <= MINUTE)
    }),
  )
})

test('a clock set back changes nothing', () => {
  const condition = { comparison: 'above', threshold: 1, duration: 0, stale: STALE } as const
  const points = { timestamps: [10 * MINUTE], values: [2] }
  const { after } = evaluateSeries(condition, undefined, points, 10 * MINUTE)
  expect(after).toMatchObject({ state: 'firing', seen: 10 * MINUTE })
  expect(evaluateSeries(condition, after, points, 2 * MINUTE)).toEqual({ after, changes: [] })
  const earlier = { timestamps: [MINUTE, 2 * MINUTE], values: [0, 0] }
  expect(evaluateSeries(condition, after, earlier, 2 * MINUTE)).toEqual({ after, changes: [] })
})
