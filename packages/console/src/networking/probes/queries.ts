import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

export const probeQuery = (project: string, probe: string) =>
  apiQuery('probeView', { path: { probe }, query: { project } })

/** All probes of a project. */
export const probesQuery = (project: string) =>
  apiQuery('probeList', { query: { project, limit: ALL_ITEMS } })

/** All sleds, which only operators may read. */
export const sledsQuery = apiQuery('sledList', { query: { limit: ALL_ITEMS } })
