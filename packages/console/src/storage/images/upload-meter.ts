/** Minimum milliseconds between updates, so that rendering does not slow down the upload. */
const UPDATE_EVERY = 100
/** Milliseconds over which the rate is measured. */
const WINDOW = 3000

type Measured = { processed: number; percent: number; rate: number | undefined }

/** Measures the progress and rate of an upload. */
export class Meter {
  private processed = 0
  private shown: Measured = { processed: 0, percent: 0, rate: undefined }
  private samples: { at: number; processed: number }[] = []
  private updatedAt = 0
  private readonly size: number
  private readonly tell: (measured: Measured) => void

  constructor(size: number, tell: (measured: Measured) => void) {
    this.size = size
    this.tell = tell
  }

  add(bytes: number): void {
    this.processed += bytes
    const now = performance.now()
    if (now - this.updatedAt < UPDATE_EVERY) return
    this.updatedAt = now
    this.samples.push({ at: now, processed: this.processed })
    while (now - this.samples[0]!.at > WINDOW) this.samples.shift()
    const { at, processed } = this.samples[0]!
    const rate = now > at ? ((this.processed - processed) * 1000) / (now - at) : undefined
    this.show(this.processed, Math.floor((this.processed / this.size) * 100), rate)
  }

  private show(processed: number, percent: number, rate: number | undefined) {
    // The shown progress never decreases when the file is read a second time.
    this.shown = {
      processed: Math.max(processed, this.shown.processed),
      percent: Math.max(percent, this.shown.percent),
      rate,
    }
    this.tell(this.shown)
  }

  /** Starts over, as the file is read again from its beginning. */
  restart(): void {
    this.processed = 0
    this.stop()
  }

  /** Clears the rate while nothing is sent: it does not predict the next chunks. */
  stop(): void {
    this.samples = []
    this.show(this.shown.processed, this.shown.percent, undefined)
  }

  finish(): void {
    this.show(this.size, 100, undefined)
  }
}
