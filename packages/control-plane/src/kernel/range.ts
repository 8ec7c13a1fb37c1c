/** Ranges of bytes, RFC 9110 section 14. */
export interface ByteRange {
  start: number
  /** Just after the last byte. */
  end: number
}

const single = /^bytes=\s*(\d*)-(\d*)\s*$/i

/**
 * The one range a header asks for.
 * @returns undefined for no range, several ranges or an invalid header, all of which are answered
 *   in full; 'outside' if the range is past the end
 */
export function parseRange(header: string | null, size: number): ByteRange | 'outside' | undefined {
  const match = header === null ? null : single.exec(header)
  if (!match) return undefined
  const [from, to] = [match[1]!, match[2]!]
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'outside' : { start: size - length, end: size }
  }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return undefined
  if (start >= size) return 'outside'
  return { start, end: to === '' ? size : Math.min(Number(to) + 1, size) }
}
