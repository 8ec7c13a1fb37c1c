/** SHA-256 (FIPS 180-4) piece by piece, which Web Crypto cannot do. */
const firstPrimes: number[] = []
for (let n = 2; firstPrimes.length < 64; n++) {
  if (firstPrimes.every((prime) => n % prime !== 0)) firstPrimes.push(n)
}
/** The first 32 bits of the fraction; signed, because engines are fast with such integers. */
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0
const constants = Int32Array.from(firstPrimes, (prime) => fraction(Math.cbrt(prime)))
const initial = Int32Array.from(firstPrimes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by))

export class Sha256 {
  readonly #state = initial.slice()
  readonly #schedule = new Int32Array(64)
  /** Bytes that do not fill a block yet. */
  readonly #rest = new Uint8Array(64)
  #length = 0

  update(data: Uint8Array): this {
    let at = 0
    const waiting = this.#length % 64
    this.#length += data.length
    if (waiting > 0) {
      at = Math.min(64 - waiting, data.length)
      this.#rest.set(data.subarray(0, at), waiting)
      if (waiting + at < 64) return this
      this.#block(this.#rest, 0)
    }
    for (; at + 64 <= data.length; at += 64) this.#block(data, at)
    this.#rest.set(data.subarray(at))
    return this
  }

  digest(): string {
    const bits = this.#length * 8
    const end = new Uint8Array((this.#length % 64 < 56 ? 56 : 120) - (this.#length % 64) + 8)
    end[0] = 0x80
    const view = new DataView(end.buffer)
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(end.length - 4, bits >>> 0)
    this.update(end)
    return [...this.#state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  #block(data: Uint8Array, at: number): void {
    const w = this.#schedule
    for (let i = 0, p = at; i < 16; i++, p += 4) {
      w[i] = (data[p]! << 24) | (data[p + 1]! << 16) | (data[p + 2]! << 8) | data[p + 3]!
    }
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const small0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
      const small1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
      w[i] = (w[i - 16]! + small0 + w[i - 7]! + small1) | 0
    }
    const state = this.#state
    let a = state[0]!
    let b = state[1]!
    let c = state[2]!
    let d = state[3]!
    let e = state[4]!
    let f = state[5]!
    let g = state[6]!
    let h = state[7]!
    for (let i = 0; i < 64; i++) {
      const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      const one = (h + big1 + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) | 0
      const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    state[0]! += a
    state[1]! += b
    state[2]! += c
    state[3]! += d
    state[4]! += e
    state[5]! += f
    state[6]! += g
    state[7]! += h
  }
}
