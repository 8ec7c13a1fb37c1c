/**
 * Sums of intervals over consecutive periods. An interval raises a level when it begins and lowers
 * it when it ends, so its cost does not depend on the number of periods that it spans. All numbers
 * are integers of any size, so sums are exact.
 */
export interface Steps {
  /**
   * Raises the level by an amount, or lowers it.
   * @param at a moment up to which whole periods of the caller's have passed; a multiple of the
   *   bounds of the caller, no finer than these
   * @param offset the sum of the amounts, each multiplied with the time from `at` to its moment
   */
  change: (at: number, amount: bigint, offset: bigint) => void
  /** For each period, the sum of the amounts multiplied with their time in it. */
  sums: () => bigint[]
}

/** @param bounds the beginnings of the periods in their order, and the end of the last one */
export function createSteps(bounds: readonly number[]): Steps {
  const periods = bounds.length - 1
  const levels = Array.from({ length: periods }, () => 0n)
  const offsets = Array.from({ length: periods }, () => 0n)
  /** The last period that begins no later. */
  const periodOf = (at: number): number => {
    let low = 0
    let high = periods
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (bounds[middle]! <= at) low = middle
      else high = middle
    }
    return low
  }
  return {
    change(at, amount, offset) {
      // An interval that ends with the last period lowers no level within the periods.
      if (at >= bounds[periods]!) return
      const period = periodOf(at)
      levels[period]! += amount
      offsets[period]! += amount * BigInt(at - bounds[period]!) + offset
    },
    sums() {
      let level = 0n
      return levels.map((change, period) => {
        level += change
        return level * BigInt(bounds[period + 1]! - bounds[period]!) - offsets[period]!
      })
    },
  }
}
