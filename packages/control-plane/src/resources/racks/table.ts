import type { Reconciled } from '../../kernel/db/schema.ts'

/** A rack; its reconciliation compares what the control plane uses with what the engine sees. */
export interface RackTable extends Reconciled {
  id: string
  fleet_id: string
  time_created: string
  time_modified: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    rack: RackTable
  }
}
