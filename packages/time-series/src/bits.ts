/** Maximum bits per read or write, so that pending bits fit in 32 bits beside them. */
const PIECE_BITS = 24
const PIECE = 2 ** PIECE_BITS

/** A growing buffer to which bits and whole bytes are appended. */
export class BitWriter {
  #bytes: Uint8Array
  #length = 0
  #pending = 0
  #pendingBits = 0

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[this.#length++] = byte
  }

  /** Appends the lowest bits of a whole number below 2^24. */
  #piece(value: number, count: number): void {
    this.#pending = (this.#pending << count) | value
    this.#pendingBits += count
    while (this.#pendingBits >= 8) {
      this.#pendingBits -= 8
      this.#push((this.#pending >>> this.#pendingBits) & 0xff)
    }
  }

  /** Appends a nonnegative integer below 2^count, with count up to 53. */
  bits(value: number, count: number): void {
    if (count <= PIECE_BITS) {
      this.#piece(value, count)
      return
    }
    const high = Math.floor(value / PIECE)
    this.bits(high, count - PIECE_BITS)
    this.#piece(value - high * PIECE, PIECE_BITS)
  }

  /** Appends a number in unary: as many ones, and a zero. */
  unary(count: number): void {
    let left = count
    for (; left >= 16; left -= 16) this.#piece(0xffff, 16)
    this.#piece((1 << (left + 1)) - 2, left + 1)
  }

  /** Fills up the last byte, as required before appending bytes. */
  align(): void {
    if (this.#pendingBits > 0) this.#piece(0, 8 - this.#pendingBits)
  }

  byte(value: number): void {
    this.#push(value)
  }

  /** Appends an integer from 0 to 2^53 in 7 bits per byte. */
  varint(value: number): void {
    let left = value
    while (left >= 0x80) {
      const next = Math.floor(left / 0x80)
      this.#push(left - next * 0x80 + 0x80)
      left = next
    }
    this.#push(left)
  }

  /** A copy of the written bytes. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  /** Clears the buffer, reusing its memory. */
  clear(): void {
    this.#length = 0
    this.#pending = 0
    this.#pendingBits = 0
  }
}

/** The bytes are truncated or malformed. */
export class BadBytes extends Error {
  override name = 'BadBytes'
}

export class BitReader {
  readonly #bytes: Uint8Array
  #at = 0
  #pending = 0
  #pendingBits = 0

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get position(): number {
    return this.#at
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw new BadBytes('the bytes end too early')
    return this.#bytes[this.#at++]!
  }

  #piece(count: number): number {
    while (this.#pendingBits < count) {
      this.#pending = (this.#pending << 8) | this.byte()
      this.#pendingBits += 8
    }
    this.#pendingBits -= count
    return (this.#pending >>> this.#pendingBits) & ((1 << count) - 1)
  }

  bits(count: number): number {
    if (count <= PIECE_BITS) return count === 0 ? 0 : this.#piece(count)
    const high = this.bits(count - PIECE_BITS)
    return high * PIECE + this.#piece(PIECE_BITS)
  }

  unary(): number {
    let count = 0
    for (;;) {
      if (this.#pendingBits === 0) {
        this.#pending = this.byte()
        this.#pendingBits = 8
      }
      // The pending bits at the top of 32, with the following ones inverted to zeros.
      const zeros = ~(this.#pending << (32 - this.#pendingBits))
      const ones = Math.clz32(zeros)
      if (ones < this.#pendingBits) {
        this.#pendingBits -= ones + 1
        return count + ones
      }
      count += this.#pendingBits
      this.#pendingBits = 0
    }
  }

  align(): void {
    this.#pendingBits = 0
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) break
    }
    if (value > 2 ** 53) throw new BadBytes('a number is too large')
    return value
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new BadBytes('the bytes end too early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}
