/** Characters of a wrong value in a refusal. */
const SHOWN_MAX = 200

/** A JSON value in the words of parse errors: ``integer `-3` ``, `string "x"`, `map`. */
export function describeJson(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'sequence'
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
    case 'string':
      return `string ${JSON.stringify(value.slice(0, SHOWN_MAX))}`
    case 'boolean':
      return `boolean \`${value}\``
    default:
      return 'map'
  }
}

/** Expected words in a refusal: `a`; `a` or `b`; one of `a`, `b`, `c`. */
function expectedWords(words: readonly (string | number)[]): string {
  const quoted = words.map((word) => `\`${word}\``)
  return quoted.length > 2 ? `one of ${quoted.join(', ')}` : quoted.join(' or ')
}

/** Refusal of a word that is none of the expected ones. */
export const unknownVariant = (word: string, words: readonly (string | number)[]): string =>
  `unknown variant \`${word.slice(0, SHOWN_MAX)}\`, expected ${expectedWords(words)}`

/** Refusal of a text, a list or a map that is too long. */
export const tooLong = (length: number, max: number, parts: string): string =>
  `invalid length ${length}, expected at most ${max} ${parts}`

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether the sizes of a value and of all values inside exceed a maximum in sum. The walk stops
 * there, and takes values of any depth.
 */
function isLarger(value: unknown, max: number, sizeOf: (part: unknown) => number): boolean {
  let size = 0
  const left: unknown[] = [value]
  while (left.length > 0) {
    const part = left.pop()
    size += sizeOf(part)
    if (size > max) return true
    if (typeof part !== 'object' || part === null) continue
    for (const inner of Object.values(part)) left.push(inner)
  }
  return false
}

/** Whether a value has more characters as JSON than a maximum, apart from blanks. */
export const isLongJson = (value: unknown, max: number): boolean =>
  isLarger(value, max, (part) => {
    if (typeof part === 'string') return part.length + 2
    if (Array.isArray(part)) return part.length
    if (!isJsonObject(part)) return String(part).length
    return Object.keys(part).reduce((sum, key) => sum + key.length + 4, 0)
  })

/** Whether a value has more values inside than a maximum. */
export const hasMoreValues = (value: unknown, max: number): boolean =>
  isLarger(value, max, (part) => {
    if (Array.isArray(part)) return part.length
    return isJsonObject(part) ? Object.keys(part).length : 0
  })
