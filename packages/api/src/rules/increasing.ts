/** Indexes of a longest increasing subsequence. */
export function longestIncreasing(numbers: readonly number[]): Set<number> {
  /** For each length, the index of the smallest number that ends such a subsequence. */
  const ends: number[] = []
  const before: number[] = []
  for (const [place, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (numbers[ends[middle]!]! < number) low = middle + 1
      else high = middle
    }
    before[place] = low > 0 ? ends[low - 1]! : -1
    ends[low] = place
  }
  const places = new Set<number>()
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]!) places.add(place)
  return places
}
