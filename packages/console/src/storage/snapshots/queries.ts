import { apiQuery } from '../../data/api.ts'

/** Disks by name, as many as a list of snapshots is likely to need. */
export const diskNamesQuery = (project: string) =>
  apiQuery('diskList', { query: { project, limit: 200 } })

/** The disk of a snapshot, which may be deleted. */
export const snapshotDiskQuery = (disk: string) =>
  apiQuery('diskView', { path: { disk } }, { allow404: true })

export const snapshotQuery = (project: string, snapshot: string) =>
  apiQuery('snapshotView', { path: { snapshot }, query: { project } })
