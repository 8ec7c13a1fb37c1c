/**
 * Makes writes durable, many with one sync: whoever comes while one runs waits for the next, which
 * covers all that came meanwhile. One that runs may have begun too early to cover them.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(sync: () => Promise<void>) {
    this.#sync = sync
  }

  /** Everything written before this call is durable when it returns. */
  done(): Promise<void> {
    if (!this.#running) return this.#start()
    const after = () => {
      this.#next = undefined
      return this.#start()
    }
    this.#next ??= this.#running.then(after, after)
    return this.#next
  }

  #start(): Promise<void> {
    const running = this.#sync().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
