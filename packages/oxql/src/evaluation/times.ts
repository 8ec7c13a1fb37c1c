/**
 * Sets of times, as ascending boundaries where they alternately begin and end: [1, 2, 5, ∞]
 * contains all times from 1 to before 2, and from 5 on. The boundary just after a time is the next
 * representable number.
 */
import type { Comparison } from '../model.ts'

export type Times = readonly number[]

export const always: Times = [-Infinity, Infinity]
export const never: Times = []

const bits = new DataView(new ArrayBuffer(8))

/** The next larger number. */
export function after(moment: number): number {
  if (moment === 0) return Number.MIN_VALUE
  bits.setFloat64(0, moment)
  bits.setBigInt64(0, bits.getBigInt64(0) + (moment > 0 ? 1n : -1n))
  return bits.getFloat64(0)
}

/** Times that satisfy a comparison with a given time. */
export function compared(comparison: Comparison, moment: number): Times {
  switch (comparison) {
    case '<':
      return [-Infinity, moment]
    case '<=':
      return [-Infinity, after(moment)]
    case '>':
      return [after(moment), Infinity]
    case '>=':
      return [moment, Infinity]
    case '!=':
      return [-Infinity, moment, after(moment), Infinity]
    default:
      return [moment, after(moment)]
  }
}

function combine(a: Times, b: Times, holds: (a: boolean, b: boolean) => boolean): Times {
  const places: number[] = []
  let inside = false
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    const place = Math.min(a[i] ?? Infinity, b[j] ?? Infinity)
    if (a[i] === place) i++
    if (b[j] === place) j++
    // An odd number of preceding boundaries: inside.
    if (holds(i % 2 === 1, j % 2 === 1) === inside) continue
    inside = !inside
    places.push(place)
  }
  return places
}

export const both = (a: Times, b: Times): Times => combine(a, b, (inA, inB) => inA && inB)
export const either = (a: Times, b: Times): Times => combine(a, b, (inA, inB) => inA || inB)
export const complement = (times: Times): Times =>
  combine(always, times, (inAll, inTimes) => inAll && !inTimes)
