/** The places of a longest list of numbers that rise, in the order in which they are given. */
export function longestIncreasing(numbers: readonly number[]): Set<number> {
  /** For each length, the place of the smallest number that such a list can end with. */
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
