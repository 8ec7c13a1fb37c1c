import { snapshotStates } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const snapshotListDefinition: ListDefinition<'snapshotList'> = {
  kind: 'snapshot',
  id: 'snapshots',
  operation: 'snapshotList',
  searched: 'snapshotSearch',
  filters: { state: snapshotStates.filter((state) => state !== 'destroyed') },
}

/** Disks by name, as many as a list of snapshots is likely to need. */
export const diskNamesQuery = (project: string) =>
  apiQuery('diskList', { query: { project, limit: 200 } })

/** The disk of a snapshot, which may be deleted. */
export const snapshotDiskQuery = (disk: string) =>
  apiQuery('diskView', { path: { disk } }, { allow404: true })

export const snapshotQuery = (project: string, snapshot: string) =>
  apiQuery('snapshotView', { path: { snapshot }, query: { project } })
