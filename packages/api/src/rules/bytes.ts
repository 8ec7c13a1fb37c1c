/** Byte counts: integers from 0 to 2^63-1. */

export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
export const TiB = 1024 * GiB
export const PiB = 1024 * TiB

/**
 * Whether all bytes are zero. Compares words, which takes a quarter of the steps.
 * @param bytes begin at a multiple of four bytes of their buffer
 */
export function isZero(bytes: Uint8Array): boolean {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false
  for (let i = words.length * 4; i < bytes.length; i++) if (bytes[i] !== 0) return false
  return true
}

export function byteCountProblem(bytes: number): string | undefined {
  if (bytes < 0) return 'value is too small for a byte count'
  if (bytes >= 2 ** 63) return 'value is too large for a byte count'
  return undefined
}

/**
 * Exact form of a byte count in the control plane's messages: the largest unit that divides it
 * (`1 GiB`, `1536 GiB`), otherwise bytes (`1000 B`).
 */
export function exactBytes(bytes: number): string {
  const units: [string, number][] = [
    ['TiB', TiB],
    ['GiB', GiB],
    ['MiB', MiB],
    ['KiB', KiB],
  ]
  const unit = bytes > 0 ? units.find(([, size]) => bytes % size === 0) : undefined
  return unit ? `${bytes / unit[1]} ${unit[0]}` : `${bytes} B`
}
