import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Listed } from '../../../kernel/db/schema.ts'

/**
 * A probe with its interface and its external address: it always has exactly one of each, created
 * and deleted with it.
 */
export interface ProbeTable extends Listed {
  project_id: string
  sled_id: string
  interface_id: string
  vpc_id: string
  subnet_id: string
  mac: string
  ipv4: string
  ipv6: string
  ip: string
  /** Fixed-width hex, so that text order is address order. */
  ip_key: string
  ip_pool_id: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    probe: ProbeTable
  }
}

export const probeTables: StoredTables = {
  probe: {
    within: {
      project_id: 'project',
      sled_id: 'sled',
      vpc_id: 'vpc',
      subnet_id: 'vpc_subnet',
      ip_pool_id: 'ip_pool',
    },
    names: {
      probe_name: kinds.probe.type,
      probe_by_name_key: kinds.probe.type,
    },
  },
}
