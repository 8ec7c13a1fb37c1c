import type { Histogram } from '@steading/oxql'

/** Lower bounds of sizes, and their frequencies. */
export interface Shape {
  bins: readonly number[]
  /** Sum: one. */
  shares: readonly number[]
}

/** Values around one size, with a longer tail towards larger ones; the bins are logarithmic. */
export function shapeAround(bins: readonly number[], middle: number, spread: number): Shape {
  const weights = bins.map((bin) => {
    const distance = Math.log(Math.max(bin, 1) / middle) / spread
    return Math.exp(-(distance ** 2) / (distance > 0 ? 3 : 1))
  })
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return { bins, shares: weights.map((weight) => weight / all) }
}

/** Values from one to ten times each power of ten, in three steps. */
export const powers = (from: number, to: number): number[] => {
  const bins = [0]
  for (let power = from; power <= to; power++) {
    for (const step of [1, 2, 5]) bins.push(step * 10 ** power)
  }
  return bins
}

/** A histogram of counts with given shapes. Each bin only grows with the counts. */
export function histogramOf(parts: readonly [count: number, shape: Shape][]): Histogram {
  const { bins } = parts[0]![1]
  const counts = bins.map((_, bin) =>
    Math.floor(parts.reduce((sum, [count, { shares }]) => sum + count * shares[bin]!, 0)),
  )
  const middles = bins.map((low, bin) => Math.round((low + (bins[bin + 1] ?? 2 * low)) / 2))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const sum = counts.reduce((all, count, bin) => all + count * middles[bin]!, 0)
  const mean = total === 0 ? 0 : sum / total
  const seen = middles.filter((_, bin) => counts[bin]! > 0)
  return {
    bins: [...bins],
    counts,
    min: seen[0] ?? 0,
    max: seen.at(-1) ?? 0,
    sumOfSamples: sum,
    squaredMean: counts.reduce((all, count, bin) => all + count * (middles[bin]! - mean) ** 2, 0),
  }
}
