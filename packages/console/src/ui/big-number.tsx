import { formatNumber } from './number.ts'
import { tooltip } from './tooltip.tsx'

const GROUPED_BELOW = 1_000_000
const COMPACT_BELOW = 1e15

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const engineering = new Intl.NumberFormat(undefined, {
  notation: 'engineering',
  maximumFractionDigits: 1,
})

/** `1,204`, `1.2M`, and `18.4e18` for still larger numbers. */
export function formatBig(value: number | bigint): string {
  if (value < GROUPED_BELOW) return formatNumber(value)
  if (value < COMPACT_BELOW) return compact.format(value)
  return engineering.format(value).toLowerCase()
}

/** A number that may be very large, with all of its digits in a tooltip. */
export function BigNumber({ value }: { value: number | bigint }) {
  const text = formatBig(value)
  const all = formatNumber(value)
  return <span {...(text === all ? {} : tooltip(all))}>{text}</span>
}
