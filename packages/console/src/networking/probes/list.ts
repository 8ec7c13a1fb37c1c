import type { ListedProbe, ProbeInfo } from '@steading/api/client'
import type { ListDefinition } from '../../data/lists.ts'

/** Rows of a searched list have a description and times; others only what the API tells of a probe. */
export type ProbeRow = ProbeInfo & Partial<ListedProbe>

export const probeListDefinition: ListDefinition<'probeList'> = {
  kind: 'probe',
  id: 'probes',
  operation: 'probeList',
  searched: 'probeSearch',
  filters: { pool: 'names' },
}
