import type { StoredTables } from '../../../kernel/db/tables.ts'

/** Averages of a minute, in a project, a silo or the fleet; null where nothing was measured. */
export interface LoadTable {
  /** Of the project, the silo or the fleet. */
  target_id: string
  /** Beginning of the minute. */
  time: string
  /** Busy processors: virtual ones, and of the fleet those of sleds. */
  cpus: number | null
  /** Bytes per second, in both directions. */
  disk_bytes: number | null
  network_bytes: number | null
  /** Watts that sleds and switches take. */
  power: number | null
  /** Calls per second. */
  requests: number | null
  cpus_provisioned: number | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    load: LoadTable
  }
}

export const loadTables: StoredTables = {
  load: { times: { time: { mayBeAhead: 'measurements keep the minute that the clock showed' } } },
}
