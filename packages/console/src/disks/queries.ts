import { ALL_ITEMS, apiQuery } from '../data/api.ts'

/** Everything a disk can be made from, as the loaders prefetch it. */
export const projectImagesQuery = (project: string) =>
  apiQuery('imageList', { query: { project, limit: ALL_ITEMS } })
export const siloImagesQuery = apiQuery('imageList', { query: { limit: ALL_ITEMS } })
export const projectSnapshotsQuery = (project: string) =>
  apiQuery('snapshotList', { query: { project, limit: ALL_ITEMS } })
/** All disks of a project: for names that are taken, and for those that can be attached. */
export const projectDisksQuery = (project: string) =>
  apiQuery('diskList', { query: { project, limit: ALL_ITEMS } })

/** Instances by name, as many as a list of disks is likely to need. */
export const instanceNamesQuery = (project: string) =>
  apiQuery('instanceList', { query: { project, limit: 200 } })
