/** A ring buffer of the last added items. */
export class Ring<T> {
  #items: T[] = []
  #most: number
  /** Index of the oldest item. */
  #begin = 0

  constructor(most: number) {
    this.#most = most
  }

  get length(): number {
    return this.#items.length
  }

  /** The newest item; undefined if there is none. */
  get last(): T | undefined {
    return this.at(this.length - 1)
  }

  /** @param index counted from the oldest item */
  at(index: number): T | undefined {
    const place = this.#begin + index
    return this.#items[place < this.length ? place : place - this.length]
  }

  push(item: T): void {
    if (this.length < this.#most) {
      this.#items.push(item)
      return
    }
    this.#items[this.#begin] = item
    this.#begin = (this.#begin + 1) % this.#most
  }

  /** Truncates to the given number of oldest items. */
  truncate(length: number): void {
    if (length >= this.length) return
    this.#items = this.slice(0, length)
    this.#begin = 0
  }

  /** Binary search for the first item that passes a test; the length if none does. */
  findIndex(test: (item: T) => boolean): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (test(this.at(middle)!)) high = middle
      else low = middle + 1
    }
    return low
  }

  slice(begin: number, end: number): T[] {
    return Array.from({ length: Math.max(0, end - begin) }, (_, index) => this.at(begin + index)!)
  }
}
