import type { Snapshot, SnapshotDetails } from '@steading/api/client'
import { snapshotConsistencies, snapshotStates } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import { withPlainFallback } from '../../data/capabilities.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const snapshotListDefinition: ListDefinition<'snapshotList'> = {
  kind: 'snapshot',
  id: 'snapshots',
  operation: 'snapshotList',
  filters: {
    state: snapshotStates.filter((state) => state !== 'destroyed'),
    consistency: snapshotConsistencies,
  },
}

/** The names of disks, enough for most lists of snapshots. */
export const diskNamesQuery = (project: string) =>
  apiQuery('diskList', { query: { project, limit: 200 } })

/** The disk of a snapshot; fails with a 404 if it is deleted. */
export const snapshotDiskQuery = (disk: string) =>
  apiQuery('diskView', { path: { disk } }, { allow404: true })

/** A snapshot, with its consistency if the control plane sends it. */
export type SnapshotRow = Snapshot & Partial<Pick<SnapshotDetails, 'consistency'>>

/** A snapshot with its consistency; fails with a 404 if it is deleted. */
export function snapshotDetailsQuery(snapshot: string) {
  const args = { path: { snapshot } }
  return withPlainFallback(
    'snapshotConsistency',
    apiQuery('snapshotDetailsView', args, { allow404: true }),
    apiQuery('snapshotView', args, { allow404: true }),
  )
}

export const snapshotQuery = (project: string, snapshot: string) =>
  apiQuery('snapshotView', { path: { snapshot }, query: { project } })
