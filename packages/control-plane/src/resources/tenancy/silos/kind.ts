import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Generated } from 'kysely'
import type { Flag, Identity, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { mappedFleetRoles } from '../../../kernel/authz/actor.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'

export interface SiloTable extends Identity, SoftDeleted {
  identity_mode: Wire.SiloIdentityMode
  discoverable: Flag
  /** The fleet that lists a discoverable silo; null for other silos. */
  listed_in: string | null
  /** The sort key of the name. */
  name_key: string
  admin_group_name: string | null
  /** JSON: silo role → fleet roles. */
  mapped_fleet_roles: string
  quota_cpus: number
  quota_memory: number
  quota_storage: number
  used_cpus: number
  used_memory: number
  used_storage: number
  /** The longest lifetime of access tokens; null for no limit. */
  device_token_max_ttl_seconds: number | null
  /** Hours for which deleted resources of its projects are kept; 0 deletes them at once. */
  restorable_hours: Generated<number>
  /** Whether members of projects may use its images without a role on it. */
  members_use_silo_images: Generated<Flag>
  /** The pool of its new disks; null for that of the fleet. */
  storage_pool_id: Generated<string | null>
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    silo: SiloTable
  }
}

export const toWireSilo = (row: Row<'silo'>): Wire.Silo => ({
  ...identityOf(row),
  identity_mode: row.identity_mode,
  discoverable: row.discoverable === 1,
  mapped_fleet_roles: mappedFleetRoles.read(row.mapped_fleet_roles),
  admin_group_name: row.admin_group_name,
})

export const silo: StoredKind<'silo'> = {
  tables: {
    silo: {
      marked: true,
      origins: { storage_pool_id: 'storage_pool' },
      names: { silo_name: kinds.silo.type },
    },
  },
  live: 'time_deleted is null',
  parentColumn: 'listed_in',
  search: searchOf('silo_search', {
    searched: described,
    sorts: usualSorts,
    filters: { identity_mode: oneOf('identity_mode') },
    toWire: each(toWireSilo),
  }),
}
