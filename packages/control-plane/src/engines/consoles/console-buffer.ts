import { concatUint8Arrays } from 'uint8array-extras'

/** Bytes of the latest serial console output that are kept. */
export const KEPT_BYTES = 1024 * 1024
/** Small pieces of output are joined into chunks of this size. */
const CHUNK_BYTES = 16 * 1024

export class ConsoleBuffer {
  #chunks: { offset: number; data: Uint8Array }[] = []
  #end = 0

  /** Bytes of output since boot. */
  get length(): number {
    return this.#end
  }

  /** Offset of the oldest byte kept. */
  get start(): number {
    return this.#chunks[0]?.offset ?? this.#end
  }

  append(data: Uint8Array, offset = this.#end): void {
    // A gap invalidates all earlier output.
    if (offset !== this.#end) this.#chunks = []
    const last = this.#chunks.at(-1)
    if (last && last.data.length + data.length <= CHUNK_BYTES)
      last.data = concatUint8Arrays([last.data, data])
    else this.#chunks.push({ offset, data })
    this.#end = offset + data.length
    while (this.#chunks.length > 1 && this.#end - this.#chunks[1]!.offset >= KEPT_BYTES) {
      this.#chunks.shift()
    }
  }

  /** Output from an offset on, as far as it is kept. */
  read(from: number, maxBytes = Number.POSITIVE_INFINITY): { data: Uint8Array; endOffset: number } {
    const first = Math.max(from, this.start)
    const end = Math.min(this.#end, first + maxBytes)
    if (end <= first) return { data: new Uint8Array(), endOffset: Math.min(first, this.#end) }
    const data = new Uint8Array(end - first)
    for (const chunk of this.#chunks) {
      const a = Math.max(first, chunk.offset)
      const b = Math.min(end, chunk.offset + chunk.data.length)
      if (a < b) data.set(chunk.data.subarray(a - chunk.offset, b - chunk.offset), a - first)
    }
    return { data, endOffset: end }
  }
}
