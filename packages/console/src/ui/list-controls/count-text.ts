import { formatNumber } from '../number.ts'

/** Singular and plural for the items of a list. */
export type Noun = { one: string; many: string }

/** The control plane counts up to this number, beyond which it only reports that there are more. */
const COUNTED = 10_000

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** `1,204`, or `10,000+` beyond the limit of counting. */
export const countNumber = (count: number | null) =>
  count === null ? `${formatNumber(COUNTED)}+` : formatNumber(count)

/** `20 instances`. */
export const countOf = ({ one, many }: Noun, count: number | null) =>
  `${countNumber(count)} ${count === 1 ? one : many}`

/** `20 instances`, `13 of 10,000+ instances`; empty if the control plane does not count. */
export function countText(
  noun: Noun,
  isFiltered: boolean,
  total: number | null | undefined,
  totalOfAll: number | null | undefined,
): string {
  if (total === undefined) return ''
  const all = isFiltered ? totalOfAll : total
  if (all === undefined) return countOf(noun, total)
  return isFiltered ? `${countNumber(total)} of ${countOf(noun, all)}` : countOf(noun, all)
}

/** Position of the shown rows in the list. */
export type RowRange = {
  /** Number of preceding rows. */
  before: number
  shown: number
  /** Null: more than the control plane counts. Undefined: unknown. */
  total?: number | null
}

/** `51–60 of 60`, or `51–100` if the control plane does not count. */
export function rowRangeText({ before, shown, total }: RowRange): string {
  // Preceding rows may have been deleted since.
  const last = Math.min(before + shown, total ?? Infinity)
  const range = `${formatNumber(last - shown + 1)}–${formatNumber(last)}`
  return total === undefined ? range : `${range} of ${countNumber(total)}`
}
