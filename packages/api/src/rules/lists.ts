/** Searches in lists. */

/** The first value that occurs a second time, or undefined. */
export function firstRepeated<Value>(values: readonly Value[]): Value | undefined {
  const seen = new Set<Value>()
  return values.find((value) => {
    if (seen.has(value)) return true
    seen.add(value)
    return false
  })
}

/**
 * Index of the first value that passes a test, by bisection; the length of the list if there is none.
 * @param values of which all after the first one pass the test as well
 */
export function firstIndex<Value>(
  values: readonly Value[],
  passes: (value: Value) => boolean,
): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(values[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

/** Indexes of a longest increasing subsequence. */
export function longestIncreasing(numbers: readonly number[]): Set<number> {
  /** For each length, the index of the smallest number that ends such a subsequence. */
  const ends: number[] = []
  const before: number[] = []
  for (const [place, number] of numbers.entries()) {
    const length = firstIndex(ends, (end) => numbers[end]! >= number)
    before[place] = length > 0 ? ends[length - 1]! : -1
    ends[length] = place
  }
  const places = new Set<number>()
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]!) places.add(place)
  return places
}
