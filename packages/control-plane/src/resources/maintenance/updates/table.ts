import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { RolloutState } from '@steading/api/rules'
import type { Reconciled } from '../../../kernel/db/schema.ts'
import type { SeenSoftware } from '../../../kernel/ports/updates.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/**
 * Which release the system is to run, and how far it is. There is one row; its reconciliation takes
 * one sled after the other to the target release.
 */
export interface SystemUpdateTable extends Reconciled {
  id: string
  fleet_id: string
  /** What the engine saw the last time, as JSON of `SeenSoftware`. */
  seen: string
  state: RolloutState
  /** The target release; null before there was one. */
  repository_id: string | null
  version: string | null
  time_requested: string | null
  /** The target release before, whose archive is kept. */
  previous_repository_id: string | null
  time_last_step: string
  /** Why it does not go on, and since when. */
  problem: string | null
  time_problem: string | null
  /** Rises when a target is set; a step that saw an older one has lost. */
  generation: number
}

/** The column `seen`. */
export const seenSoftware = jsonColumn<SeenSoftware>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    system_update: SystemUpdateTable
  }
}

export const systemUpdateTables: StoredTables = {
  system_update: {
    within: {
      repository_id: 'update_repository',
      previous_repository_id: 'update_repository',
    },
  },
}
