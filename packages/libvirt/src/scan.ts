/** A look at rows that is repeated: often while there is something to do, otherwise seldom. */
import { afterAbout } from '@steading/control-plane/engine'
import type { EngineContext } from '@steading/control-plane/ports'

export interface ScanOptions extends Pick<EngineContext, 'log'> {
  /** Describes its work in the log: "looking at the machines". */
  name: string
  /** Milliseconds between two looks while there is something to do. */
  scanMs: number
  /** Whether other servers write the rows, without a notice to this one. */
  shared: boolean
}

export interface Scan {
  /** Begins with the first look. */
  start: () => void
  /** A notice that there may be something to do. */
  soon: () => void
  /** Waits for the present look; no other begins. */
  stop: () => Promise<void>
}

/** Looks come less often by this factor while there is nothing to do. */
const SELDOM = 5

/** @param look answers whether there is something left to do */
export function createScan(
  { name, scanMs, shared, log }: ScanOptions,
  look: () => Promise<boolean>,
): Scan {
  let present = Promise.resolve()
  let isStopped = false
  /** Whether there was a notice since the last look began. */
  let isNoticed = false
  /** Whether the next look is far away. */
  let rests = false
  let cancel = (): void => {}

  const plan = (ms: number): void => {
    cancel()
    cancel = afterAbout(ms, next)
  }
  function next(): void {
    isNoticed = false
    rests = false
    present = look()
      .catch((error: unknown) => {
        log(`${name} failed`, error)
        return true
      })
      .then((isBusy) => {
        if (isStopped) return
        rests = !isBusy && !isNoticed && !shared
        plan(rests ? SELDOM * scanMs : scanMs)
      })
  }
  return {
    start: next,
    soon() {
      isNoticed = true
      if (!rests || isStopped) return
      rests = false
      plan(scanMs)
    },
    async stop() {
      isStopped = true
      cancel()
      await present
    },
  }
}
