import type { Generated } from 'kysely'

/** A simulated machine; these tables are written by `engines/simulated` only. */
export interface SimulatedMachineTable {
  id: string
  sled_id: string
  /** JSON. */
  spec: string
  phase: string
  /** When the phase began; milliseconds. */
  since: number
  /** Reboots begun. */
  reboots: number
  /** Rises with every write; a writer that saw an older one has lost. */
  version: number
}

export interface SimulatedOutputTable {
  machine_id: string
  /** Reboots before this output. */
  boot: number
  /** Bytes since boot before this chunk. */
  byte_offset: number
  byte_length: number
  /** Base64. */
  data: string
}

/** Keys pressed at servers that do not drive the machine, for the one that does. */
export interface SimulatedInputTable {
  id: Generated<number>
  machine_id: string
  sled_id: string
  /** Base64; empty to say that the machine has changed. */
  data: string
}

/** How far the viewers at a server that does not drive the machine have come. */
export interface SimulatedViewerTable {
  machine_id: string
  server: string
  sled_id: string
  boot: number
  byte_offset: number
  /** Milliseconds of the database's clock. */
  lease_until: number
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    simulated_machine: SimulatedMachineTable
    simulated_output: SimulatedOutputTable
    simulated_input: SimulatedInputTable
    simulated_viewer: SimulatedViewerTable
  }
}
