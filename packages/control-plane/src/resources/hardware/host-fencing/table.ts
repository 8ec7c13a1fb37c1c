import type { FencingMethod, FencingState, HostEventKind, PowerState } from '@steading/api/rules'
import type { Generated } from 'kysely'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** How a host is switched off, and how far that is. Made when there is something to say. */
export interface HostFencingTable extends Reconciled {
  /** The id of the host. */
  id: string
  method: FencingMethod
  automatic: Flag
  address: string | null
  port: number | null
  user_name: string | null
  /** In no answer of the API. */
  password: string | null
  system: string | null
  verify_certificate: Flag
  /** Whether an operator waits for the power state. */
  check_due: Flag
  time_checked: string | null
  /** JSON: the last answer to the question for the power state. */
  checked: string | null
  state: FencingState
  /** Groups the events of one silence. */
  incident: string | null
  /** When the state began. */
  time_since: string | null
  /** Why the silent host is not switched off; a `LeaseHold` while its leases are waited for. */
  hold: string | null
  /** Number of calls in vain since it is suspect. */
  calls: number
  /** Whether an operator has asked for it, whatever the host answers. */
  requested: Flag
  /** Attempts to switch it off that have failed in a row, with the reason of the last one. */
  failures: number
  failure: string | null
  remedy: string | null
  time_failed: string | null
  /** Rises when an operator changes it, so that a step that began earlier writes nothing. */
  generation: Generated<number>
}

/** Something that happened around a host that did not answer. */
export interface HostEventTable {
  id: string
  host_id: string
  incident: string
  /** Order among the events of the host: clocks of servers differ. */
  position: number
  kind: HostEventKind
  detail: string | null
  instance_id: string | null
  /** The name at the time. */
  instance_name: string | null
  /** Serial number. */
  sled: string | null
  time: string
}

/** The result of a check: the power state, leases that work, or neither. */
export type FencingAnswer =
  | { power: PowerState }
  | { leases: true }
  | { problem: string; remedy: string }
/** The column `checked`. */
export const checkedColumn = jsonColumn<FencingAnswer>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    host_fencing: HostFencingTable
    host_event: HostEventTable
  }
}

export const hostFencingTables: StoredTables = {
  host_fencing: { partOf: { id: 'host' } },
  host_event: { partOf: { host_id: 'host', instance_id: 'instance' } },
}
