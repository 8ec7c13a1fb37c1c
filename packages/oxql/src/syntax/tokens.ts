/**
 * Tokenizes queries. Any text can be tokenized, even one that is being typed: invalid parts become
 * `invalid` tokens.
 */
import { formatAddress, isUuid, parseAddress } from '@steading/api/rules'
import { type DurationUnit, type Literal, milliseconds, type Span } from './ast.ts'

export type Token = Span & {
  kind:
    | 'word'
    /** Name of a timeseries, `target:metric`. */
    | 'name'
    | 'literal'
    | 'symbol'
    | 'invalid'
    | 'end'
  text: string
  /** Whether whitespace precedes it. */
  spaced: boolean
  literal?: Literal
  /**
   * Position of the error in an invalid token, and the expected input, if only the tokenizer knows.
   */
  problem?: { at: number; expected?: string }
}

/** Longer symbols first. */
const symbols = '|| && == != >= <= ~= | ^ ! > < ( ) [ ] { } ; , + -'.split(' ')

const unit = '(Y|M|w|d|h|ms|m|us|s|ns)'
const patterns = {
  space: /[ \t\r\n]+/y,
  word: /[A-Za-z_][A-Za-z0-9_]*/y,
  nameRest: /:[A-Za-z0-9_]*/y,
  hexadecimal: /-?0x[0-9a-fA-F]+/y,
  double: /-?(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)/y,
  duration: new RegExp(`(\\d+)${unit}(?![A-Za-z0-9_])`, 'y'),
  integer: /-?\d+/y,
  tail: /[A-Za-z0-9_.]+/y,
  timestamp:
    /@(?:(now\(\))|(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d):(\d\d)(\.\d+)?)?|(\d\d):(\d\d):(\d\d)(\.\d+)?)/y,
  timestampTail: /@[A-Za-z0-9_:.()-]*/y,
  codePoint: /./suy,
}
const identifier = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/
/** The longest prefix that could start an identifier. */
const identifierBegin = /^(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)*_?)?/

const SMALLEST = -(2n ** 63n)
const LARGEST = 2n ** 64n - 1n
/** Last time of the calendar: the maximum milliseconds of a `Date`. */
export const LAST_MOMENT = 8.64e15

type Found = Omit<Token, 'start' | 'end' | 'text' | 'spaced'> & { end: number }

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}
const endAt = (pattern: RegExp, text: string, at: number): number =>
  at + (matchAt(pattern, text, at)?.[0].length ?? 0)

const literal = (end: number, value: Literal): Found => ({ kind: 'literal', end, literal: value })
const invalid = (end: number, at: number, expected?: string): Found => ({
  kind: 'invalid',
  end,
  problem: { at, expected },
})

function badIdentifier(text: string, at: number, end: number): Found | undefined {
  const word = text.slice(at, end)
  if (identifier.test(word)) return undefined
  const good = identifierBegin.exec(word)![0].length
  // A word that is wrong from its first character is not the expected word.
  return invalid(end, at + good, good === 0 ? undefined : 'a letter from a to z or a digit')
}

function readWord(text: string, at: number): Found {
  const colon = endAt(patterns.word, text, at)
  const end = endAt(patterns.nameRest, text, colon)
  if (end === colon) return badIdentifier(text, at, end) ?? { kind: 'word', end }
  const wrong = badIdentifier(text, at, colon) ?? badIdentifier(text, colon + 1, end)
  if (wrong?.problem?.at === colon + 1) wrong.problem.expected = 'the name of a metric'
  return wrong ? { ...wrong, end } : { kind: 'name', end }
}

function readNumber(text: string, at: number): Found {
  const duration = matchAt(patterns.duration, text, at)
  if (duration) {
    const end = at + duration[0].length
    const value = { amount: Number(duration[1]), unit: duration[2] as DurationUnit }
    const fits = Number.isSafeInteger(value.amount) && milliseconds(value) <= LAST_MOMENT
    return fits ? literal(end, { kind: 'duration', value }) : invalid(end, at, 'a shorter duration')
  }
  const hexadecimal = matchAt(patterns.hexadecimal, text, at)
  const double = hexadecimal ? null : matchAt(patterns.double, text, at)
  const [digits] = hexadecimal ?? double ?? matchAt(patterns.integer, text, at)!
  const end = at + digits.length
  const tail = endAt(patterns.tail, text, end)
  if (tail > end) {
    const whole = !hexadecimal && !double && !digits.startsWith('-')
    return invalid(tail, end, whole ? 'a digit or a unit of time' : 'a digit')
  }
  if (double) {
    const value = Number(digits)
    return Number.isFinite(value)
      ? literal(end, { kind: 'double', value })
      : invalid(end, at, 'a number that fits into 64 bits')
  }
  const value = digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits)
  return value >= SMALLEST && value <= LARGEST
    ? literal(end, { kind: 'integer', value })
    : invalid(end, at, `an integer from ${SMALLEST} to ${LARGEST}`)
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '0': '\0' }
const codePoint = /u\{([0-9a-fA-F]{1,6})\}/y

/** Value of a UUID, with or without dashes, or of an IP address. */
export function special(text: string): Literal | undefined {
  const dashed = /^[0-9a-f]{32}$/i.test(text)
    ? text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    : text
  if (isUuid(dashed)) return { kind: 'uuid', value: dashed.toLowerCase() }
  const address = parseAddress(text)
  return address && { kind: 'ip', value: formatAddress(address) }
}

function readString(text: string, start: number): Found {
  const quote = text[start]!
  let value = ''
  let wrong: Found['problem']
  let at = start + 1
  while (at < text.length && text[at] !== quote) {
    if (text[at] !== '\\') {
      value += text[at++]
      continue
    }
    const short = escapes[text[at + 1] ?? '']
    const long = matchAt(codePoint, text, at + 1)
    const code = long ? Number.parseInt(long[1]!, 16) : 0
    if (short !== undefined) {
      value += short
      at += 2
    } else if (long && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) {
      value += String.fromCodePoint(code)
      at += 1 + long[0].length
    } else {
      wrong ??= { at, expected: String.raw`one of \n, \r, \t, \\, \0 and \u{…}` }
      at++
    }
  }
  if (at >= text.length) wrong ??= { at: text.length, expected: `a closing ${quote}` }
  const end = Math.min(at + 1, text.length)
  if (wrong) return { kind: 'invalid', end, problem: wrong }
  return literal(end, (quote === '"' ? special(value) : undefined) ?? { kind: 'string', value })
}

/** Milliseconds since midnight; undefined for an invalid time. */
function timeOfDay(hours = '0', minutes = '0', seconds = '0', fraction = '0'): number | undefined {
  const whole = [Number(hours), Number(minutes), Number(seconds)] as const
  if (whole[0] > 23 || whole[1] > 59 || whole[2] > 59) return undefined
  const nanoseconds = Math.round(Number(`0${fraction}`) * 1e9)
  return ((whole[0] * 60 + whole[1]) * 60 + whole[2]) * 1000 + nanoseconds / 1e6
}

function startOfDate(date: string): number | undefined {
  const start = Date.parse(`${date}T00:00:00Z`)
  const exists = !Number.isNaN(start) && new Date(start).toISOString().startsWith(date)
  return exists ? start : undefined
}

function readTimestamp(text: string, at: number): Found {
  const found = matchAt(patterns.timestamp, text, at)
  if (!found) {
    const end = endAt(patterns.timestampTail, text, at)
    return invalid(end, at, 'a timestamp like @2026-01-31T12:00:00 or @now()')
  }
  const end = at + found[0].length
  const [, now, date, hours, minutes, seconds, fraction] = found
  if (now) return literal(end, { kind: 'timestamp', value: { kind: 'now' } })
  const time = date
    ? timeOfDay(hours, minutes, seconds, fraction)
    : timeOfDay(found[7], found[8], found[9], found[10])
  if (time === undefined) return invalid(end, at, 'a time of day')
  if (!date)
    return literal(end, { kind: 'timestamp', value: { kind: 'today', milliseconds: time } })
  const day = startOfDate(date)
  return day === undefined
    ? invalid(end, at, 'a date of the calendar')
    : literal(end, { kind: 'timestamp', value: { kind: 'absolute', milliseconds: day + time } })
}

function read(text: string, at: number, before: Token | undefined): Found {
  const first = text[at]!
  if (/[A-Za-z_]/.test(first)) return readWord(text, at)
  if (first === '"' || first === "'") return readString(text, at)
  if (first === '@') return readTimestamp(text, at)
  const { literal: last } = before ?? {}
  // After `now()`, a sign belongs to the following duration.
  const isOffset = last?.kind === 'timestamp' && last.value.kind === 'now'
  const signed = first === '-' && !isOffset
  if (/^(?:\d|\.\d)/.test(text.slice(signed ? at + 1 : at, at + 3))) return readNumber(text, at)
  const symbol = symbols.find((one) => text.startsWith(one, at))
  if (symbol) return { kind: 'symbol', end: at + symbol.length }
  return invalid(endAt(patterns.codePoint, text, at) || at + 1, at)
}

/** Tokenizes a text; the last token is the end of the text. Never fails. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; ;) {
    const start = endAt(patterns.space, text, at)
    const spaced = start > at
    if (start >= text.length) {
      tokens.push({ kind: 'end', start: text.length, end: text.length, text: '', spaced })
      return tokens
    }
    const found = read(text, start, tokens.at(-1))
    tokens.push({ ...found, start, text: text.slice(start, found.end), spaced })
    at = found.end
  }
}
