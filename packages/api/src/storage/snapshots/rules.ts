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

/** A state in messages, `Creating`. */
export const snapshotStateText = (state: SnapshotStateName): string =>
  state[0]!.toUpperCase() + state.slice(1)
