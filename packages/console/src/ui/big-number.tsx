import { formatBig, formatNumber } from './number.ts'
import { tooltip } from './tooltip.tsx'

/** A number that may be very large; a tooltip has all of its digits. */
export function BigNumber({ value }: { value: number | bigint }) {
  const text = formatBig(value)
  const all = formatNumber(value)
  return <span {...(text === all ? {} : tooltip(all))}>{text}</span>
}
