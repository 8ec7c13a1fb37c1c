/** The clock of the seeded cloud, which stands still, so that its resources can have any age. */
export interface DemoClock {
  /** The time that all ages count from. */
  present: Date
  now: () => Date
  set: (time: Date) => void
}

export function createDemoClock(present: Date): DemoClock {
  let time = present
  return {
    present,
    now: () => time,
    set: (other) => void (time = other),
  }
}
