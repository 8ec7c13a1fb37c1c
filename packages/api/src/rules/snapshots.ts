/** Snapshot states and what may be done in them (control plane 7.5). */
export const snapshotStates = ['creating', 'ready', 'faulted', 'destroyed'] as const
export type SnapshotStateName = (typeof snapshotStates)[number]

export const snapshotIsTransitioning = (state: SnapshotStateName): boolean => state === 'creating'
export const snapshotCanDelete = (state: SnapshotStateName): boolean =>
  state === 'ready' || state === 'faulted'
