/** A clock that can be set, to create resources in the past. */
export interface DemoClock {
  now: () => Date
  /** Stops the clock at a time. */
  set: (time: Date) => void
  /** Returns to the real time. */
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
