/** Numbers as text, in the language of the browser, which dates follow as well. */

const upToTwo = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const exactlyTwo = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const threeDigits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const engineering = new Intl.NumberFormat(undefined, {
  notation: 'engineering',
  maximumFractionDigits: 1,
})

/** `1,204`, `0.38`: at most two decimals. */
export const formatNumber = (value: number | bigint): string => upToTwo.format(value)

/** `0.40`: always two decimals, for a text that keeps its width while it changes. */
export const formatDecimals = (value: number): string => exactlyTwo.format(value)

/** `0.00123`, `12.3`: three significant digits. */
export const formatShort = (value: number): string => threeDigits.format(value)

const GROUPED_BELOW = 1_000_000
const COMPACT_BELOW = 1e15

/** `1,204`, `1.2M`, and above that `18.4e18`. */
export function formatBig(value: number | bigint): string {
  if (value < GROUPED_BELOW) return upToTwo.format(value)
  if (value < COMPACT_BELOW) return compact.format(value)
  return engineering.format(value).toLowerCase()
}

/** The text of a number before its decimals, and the decimals with their sign, if there are any. */
export function splitDecimals(value: number): { whole: string; decimals: string } {
  const parts = upToTwo.formatToParts(value)
  const isDecimal = ({ type }: Intl.NumberFormatPart) => type === 'decimal' || type === 'fraction'
  const text = (of: Intl.NumberFormatPart[]) => of.map((part) => part.value).join('')
  return {
    whole: text(parts.filter((part) => !isDecimal(part))),
    decimals: text(parts.filter(isDecimal)),
  }
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** A number of bytes in the binary unit in which it is read best. */
export function inByteUnit(bytes: number): { amount: number; unit: string } {
  const amountIn = (exponent: number) => Math.round((bytes / 1024 ** exponent) * 100) / 100
  let exponent = 0
  while (amountIn(exponent) >= 1024 && exponent < byteUnits.length - 1) exponent++
  return { amount: amountIn(exponent), unit: byteUnits[exponent]! }
}

/** `1.46 KiB`. */
export function formatSize(bytes: number): string {
  const { amount, unit } = inByteUnit(bytes)
  return `${formatNumber(amount)} ${unit}`
}
