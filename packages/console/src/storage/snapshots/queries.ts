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

/** The names of disks, enough for most lists of snapshots. */
export const diskNamesQuery = (project: string) =>
  apiQuery('diskList', { query: { project, limit: 200 } })

/** The disk of a snapshot; fails with a 404 if it is deleted. */
export const snapshotDiskQuery = (disk: string) =>
  apiQuery('diskView', { path: { disk } }, { allow404: true })

export const snapshotQuery = (project: string, snapshot: string) =>
  apiQuery('snapshotView', { path: { snapshot }, query: { project } })
