/**
 * The rows of several lists together.
 * @returns null if one has more than are counted; undefined if one is not known
 */
export function totalOf(counts: (number | null | undefined)[]): number | null | undefined {
  let total = 0
  for (const count of counts) {
    if (typeof count !== 'number') return count
    total += count
  }
  return total
}
