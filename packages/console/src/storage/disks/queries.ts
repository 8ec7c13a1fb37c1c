import { diskStates, diskTypes } from '@steading/api/rules'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const diskListDefinition: ListDefinition<'diskList'> = {
  kind: 'disk',
  id: 'disks',
  operation: 'diskList',
  filters: { state: diskStates.filter((state) => state !== 'destroyed'), type: diskTypes },
}

/** All snapshots of a project, as sources of disks. */
export const projectSnapshotsQuery = (project: string) =>
  apiQuery('snapshotList', { query: { project, limit: ALL_ITEMS } })
/** All disks of a project, for taken names and for disks to attach. */
export const projectDisksQuery = (project: string) =>
  apiQuery('diskList', { query: { project, limit: ALL_ITEMS } })

/** The names of instances, enough for most lists of disks. */
export const instanceNamesQuery = (project: string) =>
  apiQuery('instanceList', { query: { project, limit: 200 } })

export const diskQuery = (project: string, disk: string) =>
  apiQuery('diskView', { path: { disk }, query: { project } })
