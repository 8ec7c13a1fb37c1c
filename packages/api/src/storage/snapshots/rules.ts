/** Snapshot states and the actions they permit (control plane 7.5). */
const states = {
  creating: { transitioning: true, deletable: false },
  ready: { transitioning: false, deletable: true },
  faulted: { transitioning: false, deletable: true },
  destroyed: { transitioning: false, deletable: false },
} as const satisfies Record<string, { transitioning: boolean; deletable: boolean }>

export type SnapshotStateName = keyof typeof states
export const snapshotStates = Object.keys(states) as SnapshotStateName[]

/** Whether a snapshot leaves a state without a request. */
export const snapshotIsTransitioning = (state: SnapshotStateName): boolean =>
  states[state].transitioning
export const snapshotCanDelete = (state: SnapshotStateName): boolean => states[state].deletable
/** Reason that a snapshot cannot be deleted; undefined if it can. */
export const snapshotCannotDelete = (state: SnapshotStateName): string | undefined =>
  snapshotCanDelete(state) ? undefined : 'Only snapshots in state ready or faulted can be deleted'

/**
 * State of the file systems in a snapshot, by what was known when it was taken: the guest agent held
 * writes back, a machine was running as it was, or no machine was using the disk.
 */
const consistencies = {
  consistent: {
    words: 'Consistent (guest agent)',
    meaning: 'The guest agent wrote everything to the disk and held writes back meanwhile.',
  },
  crash_consistent: {
    words: 'Crash-consistent',
    meaning:
      'The instance was running, so the disk is as after a power failure: data that the guest had not written yet is missing.',
  },
  offline: { words: 'Offline', meaning: 'No running instance used the disk.' },
} as const satisfies Record<string, { words: string; meaning: string }>

export type SnapshotConsistencyName = keyof typeof consistencies
export const snapshotConsistencies = Object.keys(consistencies) as SnapshotConsistencyName[]
export const snapshotConsistencyText = (consistency: SnapshotConsistencyName): string =>
  consistencies[consistency].words
/** Explanation for users, a sentence. */
export const snapshotConsistencyMeaning = (consistency: SnapshotConsistencyName): string =>
  consistencies[consistency].meaning

/** A state in messages, `Creating`. */
export const snapshotStateText = (state: SnapshotStateName): string =>
  state[0]!.toUpperCase() + state.slice(1)
