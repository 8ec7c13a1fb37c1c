/** Bytes of output that a page remembers; the oldest are forgotten first. */
const MAX_BYTES = 16 * 1024 * 1024

type Bytes = Uint8Array<ArrayBuffer>

/** The output that was shown in a page, for downloading it. */
export class OutputRecord {
  /** Output of earlier boots, with the lines between them. */
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

  /** Another boot begins, after a line that separates it from the last one. */
  bootAnew(separator: Bytes): void {
    if (this.#present.length === 0) return
    this.#earlier.push(...this.#present, separator)
    this.#size += separator.length
    this.#present = []
  }

  /** The output of the present boot comes again. */
  startOver(): void {
    for (const { length } of this.#present) this.#size -= length
    this.#present = []
  }

  /** @param kept what the control plane keeps of the present boot; the longer record counts */
  parts(kept: Bytes = new Uint8Array()): Bytes[] {
    const shown = this.#present.reduce((sum, { length }) => sum + length, 0)
    return [...this.#earlier, ...(kept.length > shown ? [kept] : this.#present)]
  }
}
