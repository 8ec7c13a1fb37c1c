/**
 * Group commit: makes many writes durable with one sync. A call during a sync waits for the next
 * one, which covers all calls until then; the running sync may have begun before their writes.
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
