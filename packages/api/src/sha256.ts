/**
 * SHA-256 of a stream. The browser's own function takes all data at once, and a disk image is too
 * large for that; WebAssembly would need a looser content security policy; libraries in plain
 * JavaScript are slower in browsers than an upload (@noble/hashes 15 MiB/s in a headless Chromium,
 * this one 65).
 */
const BLOCK = 64

/** The first 32 bits of the fractional part of a number. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  }
  return primes
}

const primes = firstPrimes(64)
const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

export class Sha256 {
  private readonly state = START.slice()
  private readonly words = new Int32Array(64)
  private readonly rest = new Uint8Array(BLOCK)
  private restLength = 0
  private length = 0

  update(bytes: Uint8Array): void {
    this.length += bytes.length
    let at = 0
    if (this.restLength > 0) {
      at = Math.min(BLOCK - this.restLength, bytes.length)
      this.rest.set(bytes.subarray(0, at), this.restLength)
      this.restLength += at
      if (this.restLength < BLOCK) return
      this.compress(this.rest, 0, BLOCK)
      this.restLength = 0
    }
    const end = at + Math.floor((bytes.length - at) / BLOCK) * BLOCK
    this.compress(bytes, at, end)
    this.rest.set(bytes.subarray(end))
    this.restLength = bytes.length - end
  }

  /** Hexadecimal digest. Nothing can be added afterwards. */
  digest(): string {
    const padded = new Uint8Array(this.restLength < 56 ? BLOCK : 2 * BLOCK)
    padded.set(this.rest.subarray(0, this.restLength))
    padded[this.restLength] = 0x80
    new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(this.length) * 8n)
    this.compress(padded, 0, padded.length)
    return [...this.state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  private compress(bytes: Uint8Array, start: number, end: number): void {
    const { state, words } = this
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = start; at < end; at += BLOCK) {
      for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4)
      for (let i = 16; i < 64; i++) {
        const x = words[i - 15]!
        const y = words[i - 2]!
        const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
        const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
        words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0
      }
      round(state, words)
    }
  }
}

/**
 * Mixes one block into the state. Allocates no arrays, because nearly all of the time is spent
 * here.
 */
function round(state: Int32Array, words: Int32Array): void {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + K[i]! + words[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}
