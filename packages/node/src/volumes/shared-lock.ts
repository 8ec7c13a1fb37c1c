/**
 * A lock for many shared holders or one exclusive holder. A waiting exclusive holder takes
 * precedence over later shared ones.
 */
export class SharedLock {
  readonly #shared = new Set<Promise<unknown>>()
  #alone: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #users = 0

  /** Whether nobody holds the lock or waits for it. */
  get isFree(): boolean {
    return this.#users === 0
  }

  async shared<T>(work: () => Promise<T>): Promise<T> {
    this.#users++
    try {
      while (this.#waiting > 0) await this.#alone.catch(() => {})
      return await this.#share(work)
    } finally {
      this.#users--
    }
  }

  async #share<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#shared.add(running)
    try {
      return await running
    } finally {
      this.#shared.delete(running)
    }
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#users++
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
      this.#users--
    }
  }
}
