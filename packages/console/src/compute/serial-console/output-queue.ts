import { formatNumber } from '../../ui/number.ts'
/** Bytes per write to the terminal. */
const BATCH = 16 * 1024
/** Maximum bytes written to the terminal but not shown yet; input waits behind them. */
const MAX_IN_FLIGHT = 64 * 1024
/** Maximum bytes in the queue. Only control planes without flow control exceed it. */
const MAX_WAITING = 8 * 1024 * 1024

const NEWLINE = 0x0a

type Output = Uint8Array | string
/** Queued output, or a number of missing bytes. */
type Item = { data: Output } | { missing: number }

export type Sink = {
  /** @param done called once it has been shown */
  write: (data: Output, done: () => void) => void
  reset: () => void
}

const note = (missing: number) =>
  // Ends an escape sequence that was cut off.
  `\x18\x1b[0m\r\n[${formatNumber(missing)} bytes of output are not shown here]\r\n`

/**
 * Queue of output not shown yet. The terminal gets small batches, so that the page stays
 * responsive; without a terminal all output waits.
 */
export class OutputQueue {
  #items: Item[] = []
  #waiting = 0
  #inFlight = 0
  #sink: Sink | undefined
  #onTaken: () => void

  /** @param onTaken called when more output was shown or dropped */
  constructor(onTaken: () => void = () => {}) {
    this.#onTaken = onTaken
  }

  /** Bytes received but not shown yet. */
  get length(): number {
    return this.#waiting + this.#inFlight
  }

  /** Attaches a terminal; output that arrived before is shown first. */
  attach(sink: Sink): () => void {
    this.#sink = sink
    this.#inFlight = 0
    this.#feed()
    return () => {
      if (this.#sink === sink) this.#sink = undefined
    }
  }

  push(data: Output): void {
    this.#items.push({ data })
    this.#waiting += data.length
    if (this.#waiting > MAX_WAITING) this.#dropOldest()
    this.#feed()
  }

  /** Marks a gap in the output: the control plane no longer has these bytes. */
  miss(missing: number): void {
    this.#items.push({ missing })
    this.#feed()
  }

  /** Drops all output, to start over. */
  reset(): void {
    this.#items = []
    this.#waiting = 0
    this.#sink?.reset()
  }

  /** Drops the older half of the waiting output, and says so in the terminal. */
  #dropOldest(): void {
    let missing = 0
    while (this.#waiting > MAX_WAITING / 2) {
      const item = this.#items.shift()!
      if ('missing' in item) missing += item.missing
      else {
        this.#waiting -= item.data.length
        missing += item.data.length
      }
    }
    const [first] = this.#items
    // Resumes at the start of a line, if the first item contains one.
    if (first && 'data' in first && typeof first.data !== 'string') {
      const end = first.data.indexOf(NEWLINE) + 1
      first.data = first.data.subarray(end)
      this.#waiting -= end
      missing += end
    }
    this.#items.unshift({ missing })
    this.#onTaken()
  }

  #next(): { data: Output; bytes: number } | undefined {
    const [item] = this.#items
    if (!item) return undefined
    if ('missing' in item) {
      this.#items.shift()
      return { data: note(item.missing), bytes: 0 }
    }
    const { data } = item
    const batch = typeof data === 'string' ? data.slice(0, BATCH) : data.subarray(0, BATCH)
    if (batch.length === data.length) this.#items.shift()
    else item.data = typeof data === 'string' ? data.slice(BATCH) : data.subarray(BATCH)
    this.#waiting -= batch.length
    return { data: batch, bytes: batch.length }
  }

  #feed(): void {
    const sink = this.#sink
    while (sink && this.#inFlight < MAX_IN_FLIGHT) {
      const next = this.#next()
      if (!next) return
      const { data, bytes } = next
      this.#inFlight += bytes
      sink.write(data, () => {
        if (this.#sink !== sink) return
        this.#inFlight -= bytes
        this.#onTaken()
        this.#feed()
      })
    }
  }
}
