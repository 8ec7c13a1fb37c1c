/**
 * Patterns that match in time linear in the text, whatever their form: a guest's user must not be
 * able to hang the server with one.
 */

type Accepts = (char: string) => boolean

interface Token {
  accepts: Accepts
  /** Whether it is optional, and whether it may be repeated. */
  optional: boolean
  repeats: boolean
}

interface Branch {
  tokens: Token[]
  atStart: boolean
  atEnd: boolean
}

const any: Accepts = () => true
const MAX_PATTERN = 100
/** Maximum length of a text to be searched, in characters. */
const MAX_TEXT = 4096

export class PatternError extends Error {}

/** Parses a bracket expression; `at` is after the opening bracket. */
function bracket(chars: readonly string[], at: number): { accepts: Accepts; next: number } {
  let next = at
  const negated = chars[next] === '^'
  if (negated) next++
  const ranges: [string, string][] = []
  for (let first = true; chars[next] !== ']' || first; first = false) {
    const low = chars[next]
    if (low === undefined) throw new PatternError('unmatched [')
    const isRange =
      chars[next + 1] === '-' && chars[next + 2] !== undefined && chars[next + 2] !== ']'
    ranges.push([low, isRange ? chars[next + 2]! : low])
    next += isRange ? 3 : 1
  }
  const within: Accepts = (char) => ranges.some(([low, high]) => low <= char && char <= high)
  return { accepts: negated ? (char) => !within(char) : within, next: next + 1 }
}

function parseBranch(text: string, extended: boolean): Branch {
  const chars = [...text]
  const atStart = chars[0] === '^'
  const tokens: Token[] = []
  let atEnd = false
  for (let at = atStart ? 1 : 0; at < chars.length; at++) {
    const char = chars[at]!
    const last = tokens.at(-1)
    if (char === '$' && at === chars.length - 1) {
      atEnd = true
    } else if (char === '*' && last) {
      Object.assign(last, { optional: true, repeats: true })
    } else if (extended && char === '?' && last) {
      last.optional = true
    } else if (extended && char === '+' && last) {
      tokens.push({ ...last, optional: true, repeats: true })
    } else if (extended && '(){}'.includes(char)) {
      throw new PatternError(`${char} is not supported`)
    } else if (char === '[') {
      const { accepts, next } = bracket(chars, at + 1)
      tokens.push({ accepts, optional: false, repeats: false })
      at = next - 1
    } else {
      const literal = char === '\\' ? (chars[++at] ?? '\\') : char
      const accepts = char === '.' ? any : (other: string) => other === literal
      tokens.push({ accepts, optional: false, repeats: false })
    }
  }
  return { tokens, atStart, atEnd }
}

/** Follows all paths through the tokens at once. */
function matches({ tokens, atStart, atEnd }: Branch, chars: readonly string[]): boolean {
  const end = tokens.length
  const enter = (states: Set<number>, state: number): void => {
    if (states.has(state)) return
    states.add(state)
    if (state < end && tokens[state]!.optional) enter(states, state + 1)
  }
  let states = new Set<number>()
  enter(states, 0)
  for (const char of chars) {
    if (!atEnd && states.has(end)) return true
    const next = new Set<number>()
    for (const state of states) {
      const token = tokens[state]
      if (token?.accepts(char)) enter(next, token.repeats ? state : state + 1)
    }
    if (!atStart) enter(next, 0)
    states = next
  }
  return states.has(end)
}

export interface PatternOptions {
  ignoreCase?: boolean
  /** All characters are literal. */
  fixed?: boolean
  /** `+`, `?` and `|` are special without a backslash. */
  extended?: boolean
}

/** @throws PatternError */
export function compilePattern(
  pattern: string,
  { ignoreCase = false, fixed = false, extended = false }: PatternOptions = {},
): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN) throw new PatternError('pattern is too long')
  const folded = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  if (fixed) return (text) => folded(text).includes(folded(pattern))
  const branches = folded(pattern)
    .split(extended ? '|' : '\\|')
    .map((branch) => parseBranch(branch, extended))
  return (text) => {
    const chars = [...folded(text.slice(0, MAX_TEXT))]
    return branches.some((branch) => matches(branch, chars))
  }
}

/** One character of a word; a quoted one is literal. */
export interface WordChar {
  char: string
  quoted: boolean
}

export const isGlob = (word: readonly WordChar[]): boolean =>
  word.some(({ char, quoted }) => !quoted && (char === '*' || char === '?'))

/** Whether a name matches a word with `*` and `?`. */
export function globMatches(word: readonly WordChar[], name: string): boolean {
  const tokens = word.map(({ char, quoted }): Token => {
    if (!quoted && char === '*') return { accepts: any, optional: true, repeats: true }
    const accepts = !quoted && char === '?' ? any : (other: string) => other === char
    return { accepts, optional: false, repeats: false }
  })
  return matches({ tokens, atStart: true, atEnd: true }, [...name])
}
