import type { Distribution } from './evaluation/table.ts'

/**
 * The value below which a share of the samples lies, estimated from the bins: samples are assumed
 * to be spread evenly within a bin. Null without samples.
 */
export function quantile(
  { bins, counts, min, max }: Pick<Distribution, 'bins' | 'counts' | 'min' | 'max'>,
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (const [at, count] of counts.entries()) {
    if (count === 0 || below + count < rank) {
      below += count
      continue
    }
    const from = Math.max(bins[at]!, min ?? -Infinity)
    // The last bin has no upper bound; without the greatest sample, only its lower bound is known.
    const to = Math.min(bins[at + 1] ?? max ?? from, max ?? Infinity)
    return from + (Math.max(to, from) - from) * ((rank - below) / count)
  }
  return null
}
