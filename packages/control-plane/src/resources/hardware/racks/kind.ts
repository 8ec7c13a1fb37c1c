import type { Generated } from 'kysely'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'

/** A rack; its reconciliation compares the hardware in use with the inventory of the engine. */
export interface RackTable extends Reconciled {
  id: string
  fleet_id: string
  /** Its last inventory, as JSON of `SeenRack`. */
  seen: Generated<string>
  time_created: string
  time_modified: string
}

/** A version of the set of sleds that make up a rack. */
export interface RackMembershipTable {
  rack_id: string
  version: number
  state: 'in_progress' | 'committed' | 'aborted'
  time_created: string
  time_committed: string | null
  time_aborted: string | null
}

export interface RackMemberTable {
  rack_id: string
  version: number
  part: string
  serial: string
  /** The sled's id, or the one it gets when the change is committed. */
  sled_id: string
  acknowledged: Flag
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    rack: RackTable
    rack_membership: RackMembershipTable
    rack_member: RackMemberTable
  }
}

export const rack: StoredKind<'rack'> = {
  tables: {
    rack_membership: { within: { rack_id: 'rack' } },
    rack_member: { within: { rack_id: 'rack' } },
  },
  live: '1 = 1',
}
