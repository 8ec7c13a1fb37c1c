import type { Digest, Native } from '../../../kernel/ports/native.ts'

const encoder = new TextEncoder()

/**
 * The SHA-256 over the hexadecimal SHA-256 of each piece of so many bytes; the last piece may be
 * shorter.
 */
export function sumOfSums(native: Native, piece: number): Digest {
  const outer = native.sha256()
  let inner = native.sha256()
  let left = piece
  const close = () => {
    outer.update(encoder.encode(inner.digest()))
    inner = native.sha256()
    left = piece
  }
  return {
    update(data) {
      for (let at = 0; at < data.length;) {
        const part = data.subarray(at, at + left)
        inner.update(part)
        at += part.length
        left -= part.length
        if (left === 0) close()
      }
    },
    digest() {
      if (left < piece) close()
      return outer.digest()
    },
  }
}
