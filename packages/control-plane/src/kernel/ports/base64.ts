/** The reason why a text is not base64. */
export class Base64Error extends Error {}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const INVALID = 64
/** Value of each character by its code; other characters are INVALID. */
const values = new Uint8Array(256).fill(INVALID)
for (const [value, character] of [...alphabet].entries()) values[character.charCodeAt(0)] = value

const symbol = (text: string, index: number): number => {
  const value = values[text.charCodeAt(index)]
  if (value === undefined || value === INVALID) {
    throw new Base64Error(`Invalid symbol ${text.codePointAt(index)}, offset ${index}.`)
  }
  return value
}

/** Throws if the text is not base64. */
function check(text: string): void {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const symbols = text.length - padding
  for (let index = 0; index < symbols; index++) symbol(text, index)
  if (symbols % 4 === 1) throw new Base64Error(`Invalid input length: ${symbols}`)
  if (text.length % 4 !== 0) throw new Base64Error('Invalid padding')
  // The bits of the last symbol beyond the last byte.
  const unused = padding === 2 ? 0b1111 : padding === 1 ? 0b11 : 0
  if (unused && symbol(text, symbols - 1) & unused) {
    const last = symbols - 1
    throw new Base64Error(`Invalid last symbol ${text.charCodeAt(last)}, offset ${last}.`)
  }
}

/** Whether the last four characters are valid; padding has rules of its own. */
export function endsWell(end: string): boolean {
  try {
    check(end)
    return true
  } catch {
    return false
  }
}

/**
 * Decodes base64 as clients of this API write it: the standard alphabet, padded.
 * @throws Base64Error
 */
export function decodeBase64(text: string): Uint8Array {
  if (text.length === 0) return new Uint8Array()
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const ascii = new Uint8Array(text.length)
  // Looking characters up in bytes takes two thirds of the time that it takes in a string.
  const { read, written } = new TextEncoder().encodeInto(text, ascii)
  if (text.length % 4 !== 0 || read !== text.length || written !== text.length) check(text)
  const whole = text.length - (padding === 0 ? 0 : 4)
  const data = new Uint8Array((text.length / 4) * 3 - padding)
  let seen = 0
  let at = 0
  for (let index = 0; index < whole; index += 4) {
    const a = values[ascii[index]!]!
    const b = values[ascii[index + 1]!]!
    const c = values[ascii[index + 2]!]!
    const d = values[ascii[index + 3]!]!
    seen |= a | b | c | d
    data[at++] = (a << 2) | (b >> 4)
    data[at++] = (b << 4) | (c >> 2)
    data[at++] = (c << 6) | d
  }
  if (seen & INVALID) check(text)
  if (padding > 0) {
    if (!endsWell(text.slice(whole))) check(text)
    const [a, b] = [symbol(text, whole), symbol(text, whole + 1)]
    data[at++] = (a << 2) | (b >> 4)
    if (padding === 1) data[at++] = (b << 4) | (symbol(text, whole + 2) >> 2)
  }
  return data
}
