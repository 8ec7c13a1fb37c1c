import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** What a host of uplinks is to have, and has. */
export interface UplinkHostTable extends Reconciled {
  /** The name of the host. */
  id: string
  /** Digest of the configuration that the host should have. */
  wanted: string
  /** Rises whenever `wanted` changes. */
  generation: number
  /** Digest of the configuration that the host has, like `wanted`; null while it has none. */
  applied: string | null
  /** The fence of the step that applied it. */
  applied_version: number | null
  time_applied: string | null
  /** Digest of what the host was found with afterwards. */
  found: string | null
  /** JSON: what the host cannot have, in sentences. */
  problems: string
}

/** The column `problems`. */
export const hostProblems = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    uplink_host: UplinkHostTable
  }
}

/** Hosts are named by operators outside of the database, so nothing refers to their rows. */
export const uplinkHostTables: StoredTables = { uplink_host: {} }
