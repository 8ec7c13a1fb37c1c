import type { ListedProbe, ProbeInfo } from '@steading/api/client'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

/** A probe; rows of searched lists include a description and times. */
export type ProbeRow = ProbeInfo & Partial<ListedProbe>

export const probeListDefinition: ListDefinition<'probeList'> = {
  kind: 'probe',
  id: 'probes',
  operation: 'probeList',
  filters: { pool: 'names' },
}

export const probeQuery = (project: string, probe: string) =>
  apiQuery('probeView', { path: { probe }, query: { project } })

/** All sleds, which only operators may read. */
export const sledsQuery = apiQuery('sledList', { query: { limit: ALL_ITEMS } })
