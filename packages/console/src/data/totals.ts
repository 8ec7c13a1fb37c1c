/**
 * The total of several lists.
 * @returns null if one exceeds the counted maximum; undefined if one is unknown
 */
export function totalOf(counts: (number | null | undefined)[]): number | null | undefined {
  let total = 0
  for (const count of counts) {
    if (typeof count !== 'number') return count
    total += count
  }
  return total
}
