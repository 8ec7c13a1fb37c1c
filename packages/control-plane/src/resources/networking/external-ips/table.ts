import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
export interface ExternalIpTable {
  id: string
  kind: 'snat' | 'ephemeral' | 'floating'
  ip: string
  /** Fixed-width hex, so that text order is address order. */
  ip_key: string
  ip_pool_id: string
  project_id: string
  instance_id: string | null
  first_port: number
  last_port: number
  /** Floating addresses only. */
  name: string | null
  name_key: string | null
  description: string | null
  time_created: string
  time_modified: string
}

/** Unused blocks of ports, of addresses with other blocks in use. */
export interface FreeSnatTable {
  ip_pool_id: string
  ip_key: string
  first_port: number
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    external_ip: ExternalIpTable
    free_snat: FreeSnatTable
  }
}

export const externalIpTables: StoredTables = {
  external_ip: {
    // A floating one is a resource.
    noun: 'address',
    within: { ip_pool_id: 'ip_pool', project_id: 'project', instance_id: 'instance' },
    names: { external_ip_name: kinds.floating_ip.type },
  },
}
