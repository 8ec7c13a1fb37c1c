/** Snapshot states and what may be done in them (control plane 7.5). */
export const snapshotStates = ['creating', 'ready', 'faulted', 'destroyed'] as const
export type SnapshotStateName = (typeof snapshotStates)[number]

export const snapshotIsTransitioning = (state: SnapshotStateName): boolean => state === 'creating'
export const snapshotCanDelete = (state: SnapshotStateName): boolean =>
  state === 'ready' || state === 'faulted'
/** Why a snapshot cannot be deleted; undefined if it can. */
export const snapshotCannotDelete = (state: SnapshotStateName): string | undefined =>
  snapshotCanDelete(state) ? undefined : 'Only snapshots in state ready or faulted can be deleted'

/** A state as messages name it, `Creating`. */
export const snapshotStateText = (state: SnapshotStateName): string =>
  state[0]!.toUpperCase() + state.slice(1)
