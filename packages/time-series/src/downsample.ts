import { datumAt, emptyPoints, type Points, push } from './points.ts'

/** Takes consecutive pieces of a series' points, and passes on fewer points. */
export interface Downsampler {
  add: (points: Points) => void
  end: () => void
}

/** The interval (from, to] of a time, numbered by its end. */
const intervalOf = (time: number, interval: number): number => Math.ceil(time / interval)

/**
 * Keeps one point per interval. For a gauge, it is the mean of the measurements at the time of the
 * last point; a gauge of integers remains one. For a counter or histogram, it is the last point,
 * plus the last one before each restart, so that the differences between remaining points are the
 * same as before.
 */
export function downsample(interval: number, pass: (points: Points) => void): Downsampler {
  if (interval === 0) return { add: pass, end() {} }

  /** State of the interval at the end of the added points. */
  let last: { points: Points; index: number } | undefined
  let sum = 0
  let present = 0
  let whole: boolean | undefined = true
  let out: Points | undefined

  const emit = () => {
    if (!last) return
    const { points, index } = last
    out ??= emptyPoints(points.startTimes !== undefined, !points.numbers)
    const timestamp = points.timestamps[index]!
    if (points.startTimes || !points.numbers) {
      push(out, timestamp, points.startTimes?.[index], datumAt(points, index))
    } else {
      const mean = sum / present
      push(out, timestamp, undefined, present === 0 ? null : whole ? Math.round(mean) : mean)
    }
    last = undefined
    sum = 0
    present = 0
    whole = true
  }

  const flush = () => {
    if (out) pass(out)
    out = undefined
  }

  return {
    add(points) {
      const { timestamps, startTimes, numbers } = points
      // A piece of another type than the previous one ends the interval.
      if (
        last &&
        ((last.points.startTimes === undefined) !== (startTimes === undefined) ||
          (last.points.numbers === undefined) !== (numbers === undefined))
      ) {
        emit()
        flush()
      }
      const allWhole = numbers?.every((value) => Number.isInteger(value) || Number.isNaN(value))
      for (let index = 0; index < timestamps.length; index++) {
        const newInterval =
          last &&
          (intervalOf(last.points.timestamps[last.index]!, interval) !==
            intervalOf(timestamps[index]!, interval) ||
            (startTimes && last.points.startTimes![last.index] !== startTimes[index]))
        if (newInterval) emit()
        // A missing value says nothing about a counter, so the last known one is kept.
        const isKnown = datumAt(points, index) !== null
        if (startTimes || !numbers) {
          if (isKnown || !last || datumAt(last.points, last.index) === null)
            last = { points, index }
          continue
        }
        last = { points, index }
        if (!isKnown) continue
        const value = numbers[index]!
        sum += value
        present++
        whole &&= allWhole
      }
      flush()
    },
    end() {
      emit()
      flush()
    },
  }
}
