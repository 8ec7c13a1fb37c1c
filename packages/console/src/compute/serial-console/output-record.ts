/** Maximum bytes recorded; the oldest are dropped first. */
const MAX_BYTES = 16 * 1024 * 1024

type Bytes = Uint8Array<ArrayBuffer>

/** Record of the output shown on the page, for download. */
export class OutputRecord {
  /** Output of earlier boots, with separator lines. */
  #earlier: Bytes[] = []
  #present: Bytes[] = []
  #size = 0

  push(data: Bytes): void {
    this.#present.push(data)
    this.#size += data.length
    while (this.#size > MAX_BYTES) {
      this.#size -= (this.#earlier.shift() ?? this.#present.shift()!).length
    }
  }

  /** Begins another boot, after a separator line. */
  bootAnew(separator: Bytes): void {
    if (this.#present.length === 0) return
    this.#earlier.push(...this.#present, separator)
    this.#size += separator.length
    this.#present = []
  }

  /** Drops the output of the current boot, which will be sent again. */
  startOver(): void {
    for (const { length } of this.#present) this.#size -= length
    this.#present = []
  }

  /** @param kept the control plane's log of the current boot; the longer of both records is used */
  parts(kept: Bytes = new Uint8Array()): Bytes[] {
    const shown = this.#present.reduce((sum, { length }) => sum + length, 0)
    return [...this.#earlier, ...(kept.length > shown ? [kept] : this.#present)]
  }
}
