/**
 * Arrays of numbers. Short ones share memory, because an array with its own buffer costs the
 * garbage collector more than its numbers, and a query may have a hundred thousand of them.
 */
const SHARED = 1 << 15
/** Longer arrays have their own memory. */
const LONG = SHARED >> 3

let memory = new Float64Array(0)
let used = 0

/** An array of zeros. */
export function zeros(length: number): Float64Array {
  if (length > LONG) return new Float64Array(length)
  if (used + length > memory.length) {
    memory = new Float64Array(SHARED)
    used = 0
  }
  used += length
  return memory.subarray(used - length, used)
}

export function numbersOf(list: ArrayLike<number>): Float64Array {
  const numbers = zeros(list.length)
  numbers.set(list)
  return numbers
}
