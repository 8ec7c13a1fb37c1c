/**
 * Estimates the cost of compiling an RE2 regular expression from its text. Compilation does not
 * yield, and a class may stand for more than a million characters, so the cost has to be known
 * beforehand.
 *
 * A step is about 20 ns. The figures are upper bounds of measurements of re2js.
 */

/** Steps per instruction: parsing, simplification, and preparation of matching. */
const INSTRUCTION = 150
/** Maximum instructions of a character or class, and of a group in addition to its contents. */
const ATOM = 2
const GROUP = 4
/** Ranges of a class that cost as much as an instruction, each time the class is repeated. */
const RANGES_PER_INSTRUCTION = 64
/** Steps per range of a class, for sorting it. */
const RANGE = 400
/** Maximum steps and ranges of a Unicode class, such as `\pL`. */
const UNICODE_CLASS = 8000
const UNICODE_RANGES = 1024
/** Ignoring case doubles these tables. */
const FOLDED_UNICODE_CLASS = 2 * UNICODE_CLASS
/** First and last character that may have other cases; each one in a range is looked up. */
const FIRST_FOLDED = 0x41
const LAST_FOLDED = 0x1e943

export type PatternCost = {
  /** Maximum instructions of its program; classes of many ranges count as several. */
  size: number
  /** Steps to compile it. */
  steps: number
}

/** Flags of a group can be combined with others, at any position. */
const ignoresCase = (pattern: string): boolean => /\(\?[A-Za-z]*i/.test(pattern)

const escape = /\\(?:[pP](?:\{[^}]*\}|[^])|x\{[^}]*\}|[^])/uy
const quoted = /\\Q([^]*?)(?:\\E|$)/y
const repetition = /\{(\d{1,9})(?:,(\d{0,9}))?\}/y
const groupStart = /\((?:\?P?<[^>]*>|\?[A-Za-z-]*:?)?/y
const namedClass = /\[:\^?\w+:\]/y

/** @returns the match at exactly this position */
function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

const isUnicodeClass = (escaped: string): boolean => /^\\p/i.test(escaped)

/** Upper bound of the cost; meaningless for invalid patterns. */
export function patternCost(pattern: string): PatternCost {
  const folds = ignoresCase(pattern)
  const unicodeClass = folds ? FOLDED_UNICODE_CLASS : UNICODE_CLASS
  let steps = 0
  /** Sizes of the open groups, and of the last atom of each, which may be repeated. */
  const open: { size: number; last: number }[] = [{ size: 0, last: 0 }]
  const atom = (size = ATOM) => {
    const group = open.at(-1)!
    group.size += size
    group.last = size
  }

  const atomOfRanges = (ranges: number) => atom(ATOM + Math.ceil(ranges / RANGES_PER_INSTRUCTION))

  /** @returns the position after the class that begins here */
  const readClass = (from: number): number => {
    let at = from + 1
    let ranges = 0
    if (pattern[at] === '^') at++
    for (let first = true; at < pattern.length && (first || pattern[at] !== ']'); first = false) {
      steps += RANGE
      ranges++
      const name = matchAt(namedClass, pattern, at)
      const escaped = matchAt(escape, pattern, at)
      if (escaped && isUnicodeClass(escaped[0])) {
        steps += unicodeClass
        ranges += UNICODE_RANGES
      }
      if (folds && pattern[at] === '-') {
        const characters = foldedTo(at + 1)
        steps += characters
        ranges += Math.min(characters, UNICODE_RANGES)
      }
      at += (name ?? escaped)?.[0].length ?? charLength(at)
    }
    atomOfRanges(ranges)
    return at + 1
  }
  const charLength = (at: number): number => (pattern.codePointAt(at)! > 0xffff ? 2 : 1)
  /** Characters of a range that ends with this one, wherever it begins. */
  const foldedTo = (at: number): number => {
    const last = pattern[at] === '\\' ? LAST_FOLDED : (pattern.codePointAt(at) ?? 0)
    return Math.max(0, Math.min(last, LAST_FOLDED) - FIRST_FOLDED + 1)
  }

  let at = 0
  while (at < pattern.length) {
    const char = pattern[at]!
    if (char === '\\') {
      const text = matchAt(quoted, pattern, at)
      const found = text ?? matchAt(escape, pattern, at)
      if (text) {
        for (const _ of text[1]!) atom()
      } else if (found && isUnicodeClass(found[0])) {
        steps += unicodeClass
        atomOfRanges(UNICODE_RANGES)
      } else atom()
      at += found?.[0].length ?? 1
    } else if (char === '[') {
      at = readClass(at)
    } else if (char === '(') {
      open.push({ size: GROUP, last: 0 })
      at += matchAt(groupStart, pattern, at)![0].length
      // `(?i)` only sets flags.
      if (pattern[at] === ')' && pattern[at - 1] !== '(') {
        open.pop()
        at++
      }
    } else if (char === ')') {
      const group = open.length > 1 ? open.pop() : undefined
      atom(group?.size)
      at++
    } else {
      const repeated = matchAt(repetition, pattern, at)
      if (repeated) {
        const [text, least, most] = repeated
        const group = open.at(-1)!
        const times = Math.max(1, Number(least), Number(most ?? 0))
        group.size += group.last * times
        group.last *= times + 1
        at += text.length
      } else {
        if (!'*+?'.includes(char)) atom()
        else open.at(-1)!.size++
        at += charLength(at)
      }
    }
  }
  const size = open.reduce((sum, group) => sum + group.size, GROUP)
  return { size, steps: steps + size * INSTRUCTION }
}
