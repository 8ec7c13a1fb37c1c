import type { Extent } from '../../kernel/ports/block-store.ts'

/** A set of byte offsets as a list of extents: sorted, without overlap or contact. */
export class Extents {
  #extents: Extent[] = []

  /** Index of the first extent that ends at or after an offset. */
  #at(offset: number): number {
    let low = 0
    let high = this.#extents.length
    while (low < high) {
      const middle = (low + high) >> 1
      const { offset: start, length } = this.#extents[middle]!
      if (start + length < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  covers(offset: number, length: number): boolean {
    const found = this.#extents[this.#at(offset)]
    return (
      found !== undefined &&
      found.offset <= offset &&
      offset + length <= found.offset + found.length
    )
  }

  add(offset: number, length: number): void {
    if (length <= 0) return
    const first = this.#at(offset)
    let [start, end, last] = [offset, offset + length, first]
    for (; last < this.#extents.length && this.#extents[last]!.offset <= end; last++) {
      const { offset: from, length: size } = this.#extents[last]!
      start = Math.min(start, from)
      end = Math.max(end, from + size)
    }
    this.#extents.splice(first, last - first, { offset: start, length: end - start })
  }

  list(): Extent[] {
    return this.#extents.map((extent) => ({ ...extent }))
  }
}
