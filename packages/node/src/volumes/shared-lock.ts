/**
 * A lock for many shared holders or one exclusive holder. A waiting exclusive holder takes
 * precedence over later shared ones.
 */
export class SharedLock {
  readonly #shared = new Set<Promise<unknown>>()
  #alone: Promise<unknown> = Promise.resolve()
  #waiting = 0

  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#waiting > 0) await this.#alone.catch(() => {})
    const running = work()
    this.#shared.add(running)
    try {
      return await running
    } finally {
      this.#shared.delete(running)
    }
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    const before = this.#alone.catch(() => {})
    const running = (async () => {
      await before
      await Promise.allSettled(this.#shared)
      return work()
    })()
    this.#alone = running
    try {
      return await running
    } finally {
      this.#waiting--
    }
  }
}
