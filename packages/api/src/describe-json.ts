/** A JSON value in the words of parse errors: ``integer `-3` ``, `string "x"`, `map`. */
export function describeJson(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'sequence'
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
    case 'string':
      return `string ${JSON.stringify(value)}`
    case 'boolean':
      return `boolean \`${value}\``
    default:
      return 'map'
  }
}

/** What was expected, of some words: `a`; `a` or `b`; one of `a`, `b`, `c`. */
export function expectedWords(words: readonly (string | number)[]): string {
  const quoted = words.map((word) => `\`${word}\``)
  return quoted.length > 2 ? `one of ${quoted.join(', ')}` : quoted.join(' or ')
}

const SHOWN_MAX = 200

/** Refusal of a word that is none of the expected ones. */
export const unknownVariant = (word: string, words: readonly (string | number)[]): string =>
  `unknown variant \`${word.slice(0, SHOWN_MAX)}\`, expected ${expectedWords(words)}`

/**
 * Whether the JSON of a value has more characters than a maximum, without the blanks and quotes
 * between values. Stops there, and may be used on any depth.
 */
export function isLongJson(value: unknown, max: number): boolean {
  let length = 0
  const left: unknown[] = [value]
  while (left.length > 0 && length <= max) {
    const part = left.pop()
    if (typeof part === 'string') length += part.length + 2
    else if (typeof part !== 'object' || part === null) length += String(part).length
    else {
      for (const [key, inner] of Object.entries(part)) {
        length += Array.isArray(part) ? 1 : key.length + 4
        left.push(inner)
      }
    }
  }
  return length > max
}

/** Whether a value has more than some values inside; stops there, and may be used on any depth. */
export function hasMoreValues(value: unknown, max: number): boolean {
  let count = 0
  const left: unknown[] = [value]
  while (left.length > 0 && count <= max) {
    const part = left.pop()
    if (typeof part !== 'object' || part === null) continue
    const parts = Object.values(part)
    count += parts.length
    if (count <= max) for (const inner of parts) left.push(inner)
  }
  return count > max
}
