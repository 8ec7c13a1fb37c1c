import type { HostState } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Flag, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { searchOf, text } from '../../../kernel/search/search.ts'
import { toWireHosts } from './wire.ts'

/** A host that an operator has given, on its way to being a sled and away from that. */
export interface HostTable extends SoftDeleted, Reconciled {
  id: string
  /** All hosts are in one list, the fleet's. */
  fleet_id: Generated<string>
  /** See `hostName`. */
  name: string
  name_key: string
  address: string
  /** Replaces the address once the host has passed the checks there. */
  next_address: string | null
  state: HostState
  /** The checks are due. */
  check_due: Flag
  /** JSON of the findings of the last checks. */
  findings: Generated<string>
  time_checked: string | null
  /** Seconds by which its clock is ahead; null if it is right, or not known. */
  clock_ahead: number | null
  /** Since when the clock is known to be wrong. */
  time_clock_apart: string | null
  /** Identity of the machine, from when it has passed the checks: no two hosts have the same. */
  part: string | null
  serial: string | null
  /** Its sled that is not decommissioned. */
  sled_id: string | null
  /** Rises when an operator changes it, so that a step that began earlier writes nothing. */
  generation: Generated<number>
  time_created: string
  time_modified: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    host: HostTable
  }
}

export const host: StoredKind<'host'> = {
  tables: { host: { marked: true, origins: { sled_id: 'sled' } } },
  live: 'time_deleted is null',
  search: searchOf('host_search', {
    searched: ['name', 'address', 'serial'],
    sorts: {
      name: text('name'),
      natural_name: text('name_key'),
      address: text('address'),
      state: text('state'),
      time_created: text('time_created'),
    },
    filters: { state: oneOf('state') },
    toWire: toWireHosts,
  }),
}
