/** Prices of use. Sums are exact: amounts are integers, and only a result is rounded. */
import { firstRepeated } from '../../rules/lists.ts'

/** Decimals of a price. */
export const PRICE_DECIMALS = 6
const PRICE_UNIT = 10n ** BigInt(PRICE_DECIMALS)
/** Greatest price of an hour of a unit, in the currency. */
export const PRICE_MAX = 1_000_000
/** Maximum number of versions of a price list. */
export const PRICE_VERSIONS_MAX = 120

export const priceMessages = {
  price: `price is a decimal number from 0 to ${PRICE_MAX} with at most ${PRICE_DECIMALS} decimals`,
  currency: 'currency is a code of ISO 4217, such as EUR',
  currencyMissing: 'prices require a currency',
  twice: (day: string) => `two versions are valid from ${day}`,
  tooMany: `a price list may have at most ${PRICE_VERSIONS_MAX} versions`,
} as const

const PRICE = /^(\d{1,7})(?:\.(\d{1,6}))?$/

/** A price in millionths of the currency; undefined for a text that is none. */
export function parsePrice(text: string): bigint | undefined {
  const found = PRICE.exec(text)
  if (!found) return undefined
  const price =
    BigInt(found[1]!) * PRICE_UNIT + BigInt((found[2] ?? '').padEnd(PRICE_DECIMALS, '0'))
  return price <= BigInt(PRICE_MAX) * PRICE_UNIT ? price : undefined
}

/** Currency codes that `Intl` knows; more than those in use, and all of ISO 4217. */
export const isCurrency = (code: string): boolean =>
  /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf('currency').includes(code)

/** Decimals of an amount of a currency: 2 for most, 0 for yen. */
export const currencyDecimals = (code: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 2

/**
 * A fraction as a decimal number, rounded half up. All numbers of reports that are not exact are
 * rounded here, and nowhere else.
 * @param denominator positive
 */
export function roundedDecimal(numerator: bigint, denominator: bigint, decimals: number): string {
  const scaled = numerator * 10n ** BigInt(decimals) * 2n + denominator
  const rounded = scaled / (2n * denominator)
  const digits = String(rounded).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const HOUR_MS = 3_600_000n

/** Hours of a unit, from milliseconds of it. */
export const quantityOf = (unitMs: bigint, decimals: number): string =>
  roundedDecimal(unitMs, HOUR_MS, decimals)

/**
 * A cost in a currency.
 * @param priced milliseconds of units, each multiplied with its price in millionths
 */
export const costOf = (priced: bigint, currency: string): string =>
  roundedDecimal(priced, HOUR_MS * PRICE_UNIT, currencyDecimals(currency))

/** Hours of a month in estimates: a twelfth of a year of 365 days. */
export const MONTH_HOURS = 730

/** Parts of a unit that estimates know: a GiB in MiB. */
const UNIT_PARTS = 1024n

/**
 * Estimated cost of what is held for some hours, in the currency; undefined if nothing of it has a
 * price.
 * @param held units of each metric with their price of an hour, rounded to 1024ths of a unit
 */
export function estimatedCost(
  held: readonly { units: number; price: string | undefined }[],
  hours: number,
  currency: string,
): string | undefined {
  const priced = held.flatMap(({ units, price }) => {
    const parsed = price === undefined ? undefined : parsePrice(price)
    return parsed && units > 0 ? BigInt(Math.round(units * Number(UNIT_PARTS))) * parsed : []
  })
  if (priced.length === 0) return undefined
  const sum = priced.reduce((total, one) => total + one, 0n) * BigInt(hours)
  return roundedDecimal(sum, UNIT_PARTS * PRICE_UNIT, currencyDecimals(currency))
}

/** Problem with the versions of a price list, or undefined. */
export function priceListProblem(list: {
  currency: string | null
  versions: readonly { valid_from: string }[]
}): string | undefined {
  if (list.versions.length > PRICE_VERSIONS_MAX) return priceMessages.tooMany
  if (list.currency === null && list.versions.length > 0) return priceMessages.currencyMissing
  const twice = firstRepeated(list.versions.map((version) => version.valid_from))
  return twice === undefined ? undefined : priceMessages.twice(twice)
}
