/**
 * Numbers as people type and paste them. A text is the number that it means, or there is a message;
 * no character is left out.
 */
import { byteUnits } from '../number.ts'

type Options = {
  /** Whether fractions are possible; comma and point both begin them. */
  decimals?: boolean
  negative?: boolean
  /** Unit of the field, which may follow the number. */
  units?: string
}

export type ReadNumber = { value: number } | { problem: string }

/** Spellings of other keyboards, with the same meaning. */
const spellings: Record<string, string> = {
  '．': '.',
  '，': ',',
  '－': '-',
  '−': '-',
  '＋': '+',
  '’': "'",
}
const OTHER = new RegExp(`[${Object.keys(spellings).join('')}]`, 'g')

/** Full-width digits are those of ASCII, and all blanks are alike. */
const plain = (text: string): string =>
  text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(OTHER, (other) => spellings[other]!)
    .replace(/\s/g, ' ')
    .trim()

/** Bytes in a unit, in lower case; undefined for other units. */
function bytesIn(unit: string): number | undefined {
  const exponent = byteUnits.findIndex((each) => each.toLowerCase() === unit)
  return exponent < 0 ? undefined : 1024 ** exponent
}

/** The factor from a unit to that of the field; undefined if there is none. */
function factorOf(unit: string, wanted = ''): number | undefined {
  const [from, to] = [unit.toLowerCase(), wanted.toLowerCase()]
  if (from === '' || from === to || from === to.replace(/s$/, '')) return 1
  const [given, own] = [bytesIn(from), bytesIn(to === 'bytes' ? 'b' : to)]
  return given && own && given / own
}

/** Groups of three digits, with one separator. */
const GROUPED = /^\d{1,3}([ '_.,])\d{3}(?:\1\d{3})*$/

/** The digits of a grouped or plain whole number; undefined if it is neither. */
const digitsOf = (text: string): string | undefined =>
  /^\d*$/.test(text) ? text : GROUPED.test(text) ? text.replace(/\D/g, '') : undefined

/**
 * Splits at the decimal sign.
 * @returns undefined if the text is no number, and one part if it may have two meanings
 */
function partsOf(text: string): [whole: string, fraction: string] | [either: string] | undefined {
  const at = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  if (at < 0) {
    const digits = digitsOf(text)
    return digits ? [digits, ''] : undefined
  }
  const [sign, before, after] = [text[at]!, text.slice(0, at), text.slice(at + 1)]
  // More than once, it separates groups.
  if (before.includes(sign)) {
    const digits = digitsOf(text)
    return digits === undefined ? undefined : [digits, '']
  }
  const whole = digitsOf(before)
  if (whole === undefined || !/^\d*$/.test(after) || whole + after === '') return undefined
  // A comma before three digits begins a fraction for some, and a group for others.
  if (sign === ',' && /^[1-9]\d{0,2}$/.test(before) && after.length === 3) return [whole + after]
  return [whole, after]
}

/** The number that a text means, or a message if it means none. */
export function readNumber(
  text: string,
  { decimals = false, negative = false, units }: Options = {},
): ReadNumber {
  const [, sign = '', amount = '', unit = ''] =
    /^([+-]?) ?(.*?) ?([\p{L}µ%°/]*)$/u.exec(plain(text)) ?? []
  const parts = partsOf(amount)
  if (!parts) return { problem: 'Not a number' }
  if (sign === '-' && !negative) return { problem: 'Must not be negative' }
  const factor = factorOf(unit, units)
  if (factor === undefined) {
    return { problem: units ? `Only a number of ${units}` : 'Only a number, without a unit' }
  }
  const [whole, fraction] = parts
  if (fraction === undefined) {
    return {
      problem: decimals
        ? `Write ${whole} or ${amount.replace(',', '.')}: ${amount} can mean both`
        : `Only whole numbers, without commas: ${whole}`,
    }
  }
  if (!decimals && (fraction !== '' || /[.,]$/.test(amount))) {
    return { problem: 'Only whole numbers' }
  }
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const value = Number(`${sign}${whole || '0'}.${fraction || '0'}`) * factor + 0
  if (significant.length > 15 || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return { problem: 'Too many digits' }
  }
  return decimals || Number.isInteger(value) ? { value } : { problem: 'Only whole numbers' }
}
