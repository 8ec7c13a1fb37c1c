/** Pseudorandom numbers derived from a text, so that every server gets the same. */

/** A 32-bit number derived from a text (FNV-1a, mixed). */
export function seedOf(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return mix(value)
}

function mix(value: number): number {
  let mixed = value | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** The nth number of a seed in [0, 1). */
export const unit = (seed: number, n: number): number =>
  mix(seed ^ Math.imul(n | 0, 0x9e3779b1)) / 2 ** 32

/** The nth number of a seed between two bounds. */
export const between = (seed: number, n: number, low: number, high: number): number =>
  low + (high - low) * unit(seed, n)
