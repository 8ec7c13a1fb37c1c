/** A clock that can be put back, so that what is made gets a past. */
export interface DemoClock {
  now: () => Date
  /** Shows this time from now on, and does not go. */
  set: (time: Date) => void
  /** Shows the real time again. */
  release: () => void
}

export function createDemoClock(): DemoClock {
  let stopped: Date | undefined
  return {
    now: () => stopped ?? new Date(),
    set: (time) => void (stopped = time),
    release: () => void (stopped = undefined),
  }
}
