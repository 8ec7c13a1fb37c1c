/** Ranges of bytes, RFC 9110 section 14. */
export interface ByteRange {
  start: number
  /** Just after the last byte. */
  end: number
}

const single = /^bytes=\s*(\d*)-(\d*)\s*$/i

/**
 * The single range that a header asks for.
 * @returns undefined without a header; 'outside' if the range is past the end; 'unclear' for
 *   several ranges or an invalid header
 */
export function parseRange(
  header: string | null,
  size: number,
): ByteRange | 'outside' | 'unclear' | undefined {
  if (header === null) return undefined
  const match = single.exec(header)
  if (!match) return 'unclear'
  const [from, to] = [match[1]!, match[2]!]
  if (from === '' && to === '') return 'unclear'
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'outside' : { start: size - length, end: size }
  }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return 'unclear'
  if (start >= size) return 'outside'
  return { start, end: to === '' ? size : Math.min(Number(to) + 1, size) }
}
