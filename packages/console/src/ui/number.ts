/** Numbers formatted in the browser's language, like dates. */

/** At most two decimals. */
export const upToTwo = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** `1,204`, `0.38`: at most two decimals. */
export const formatNumber = (value: number | bigint): string => upToTwo.format(value)

/** Each is 1024 times the one before. */
export const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** A number of bytes in its most readable binary unit. */
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
