import { diskStates, diskTypes } from '@steading/api/rules'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const diskListDefinition: ListDefinition<'diskList'> = {
  kind: 'disk',
  id: 'disks',
  operation: 'diskList',
  searched: 'diskSearch',
  filters: { state: diskStates.filter((state) => state !== 'destroyed'), type: diskTypes },
}

/** All snapshots of a project, to make disks from. */
export const projectSnapshotsQuery = (project: string) =>
  apiQuery('snapshotList', { query: { project, limit: ALL_ITEMS } })
/** All disks of a project: for names that are taken, and for those that can be attached. */
export const projectDisksQuery = (project: string) =>
  apiQuery('diskList', { query: { project, limit: ALL_ITEMS } })

/** Instances by name, as many as a list of disks is likely to need. */
export const instanceNamesQuery = (project: string) =>
  apiQuery('instanceList', { query: { project, limit: 200 } })
