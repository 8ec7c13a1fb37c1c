import { datumAt, emptyPoints, type Points, push } from './points.ts'

/** Takes pieces of points of one series in their order, and passes on fewer points. */
export interface Downsampler {
  add: (points: Points) => void
  end: () => void
}

/** The interval (from, to] that a time is in, by the number of its end. */
const intervalOf = (time: number, interval: number): number => Math.ceil(time / interval)

/**
 * Leaves one point of each interval. Of a gauge that is the mean of what was measured, at the time of
 * the last point; a gauge of whole numbers stays one. Of a counter or histogram it is the last point,
 * and the last one before each new start, so that what was counted between any two points that are
 * left is the same as before.
 */
export function downsample(interval: number, pass: (points: Points) => void): Downsampler {
  if (interval === 0) return { add: pass, end() {} }

  /** What is known of the interval at the end of what has been added. */
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
      // A piece of another sort than the one before ends the interval.
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
        // A missing value says nothing about a counter, so the last known one stays.
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
